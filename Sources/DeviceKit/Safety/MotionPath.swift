/// Measures the way from the broker to the bridge by echoes: messages that the bridge sends to itself.
///
/// A value counts only if it was sent on the present connection, and once. Its age runs from the moment at which it was
/// handed to the socket, so that time in a stalled network counts.
struct MotionPath: Hashable, Sendable {
    private struct Echo: Hashable, Sendable {
        var value: String
        var sent: Duration
        var hasReturned = false
    }

    /// How old an echo may be.
    let limit: Duration
    /// Those that are not too old yet, oldest first: at most the limit divided by the period between two.
    private var echoes: [Echo] = []
    /// When the newest echo that came back was sent.
    private(set) var newest: Duration?
    /// When the connection was made; nil without one.
    private(set) var connected: Duration?

    init(limit: Duration) { self.limit = limit }

    /// Until when the way counts as fresh; nil if no echo came back on this connection.
    var end: Duration? { newest.map { $0 + limit } }

    func isFresh(at now: Duration) -> Bool { end.map { now <= $0 } ?? false }

    mutating func connect(at now: Duration) {
        forget()
        connected = now
    }

    mutating func disconnect() {
        forget()
        connected = nil
    }

    /// Takes no earlier echo for one that comes now.
    mutating func forget() { (echoes, newest) = ([], nil) }

    mutating func sent(_ value: String, at now: Duration) {
        echoes.removeAll { now - $0.sent > limit }
        echoes.append(Echo(value: value, sent: now))
    }

    /// Takes an echo that came back; one that is foreign, too old, or came back before changes nothing.
    mutating func returned(_ value: String, at now: Duration) {
        guard let index = echoes.firstIndex(where: { $0.value == value && !$0.hasReturned }) else { return }
        echoes[index].hasReturned = true
        newest = max(newest ?? echoes[index].sent, echoes[index].sent)
    }

    /// When an echo that a sender names was sent; nil if it was not sent on this connection, or is too old.
    func sendTime(of value: String, at now: Duration) -> Duration? {
        echoes.first { $0.value == value && now - $0.sent <= limit }?.sent
    }
}
