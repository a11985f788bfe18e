/// Measures the delay of messages from the broker by echoes: messages that the bridge sends to itself.
///
/// An echo counts only once, and only on the broker connection on which it was sent. The age of an echo counts from the
/// moment at which the echo was passed to the socket, and so includes time in a stalled network.
struct MotionPath: Hashable, Sendable {
    private struct Echo: Hashable, Sendable {
        var value: String
        var sent: Duration
        var hasReturned = false
    }

    /// The age in excess of which a returned echo no longer proves that messages arrive without delay.
    let limit: Duration
    /// The echoes that are not older than `limit`, oldest first. Their number is at most `limit` divided by the time
    /// between two echoes.
    private var echoes: [Echo] = []
    /// The time at which the newest returned echo was sent.
    private(set) var newest: Duration?
    /// The time at which the broker connection was established; nil without a connection.
    private(set) var connected: Duration?

    init(limit: Duration) { self.limit = limit }

    /// The time until which the path counts as fresh: until the newest returned echo exceeds the maximum age. nil if no
    /// echo came back on this connection.
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

    /// Discards the echoes, so that an earlier echo that arrives later does not count.
    mutating func forget() { (echoes, newest) = ([], nil) }

    mutating func sent(_ value: String, at now: Duration) {
        echoes.removeAll { now - $0.sent > limit }
        echoes.append(Echo(value: value, sent: now))
    }

    /// Handles a returned echo. An echo is ignored if it is unknown, too old, or has already come back.
    mutating func returned(_ value: String, at now: Duration) {
        guard let index = echoes.firstIndex(where: { $0.value == value && !$0.hasReturned }) else { return }
        echoes[index].hasReturned = true
        newest = max(newest ?? echoes[index].sent, echoes[index].sent)
    }

    /// Returns when an echo that a sender names was sent; nil if it was not sent on this connection, or is too old.
    func sendTime(of value: String, at now: Duration) -> Duration? {
        echoes.first { $0.value == value && now - $0.sent <= limit }?.sent
    }
}
