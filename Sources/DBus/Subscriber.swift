/// A receiver of the signals of one match rule; belongs to the loop's thread.
final class Subscriber {
    enum Receiver {
        case handler(@Sendable (IncomingMessage) -> Void)
        case stream(AsyncStream<Message>.Continuation)
    }

    let number: UInt64
    let rule: MatchRule
    private(set) var droppedCount = 0
    private var receiver: Receiver?
    private let followedName: String?

    init(number: UInt64, rule: MatchRule, receiver: Receiver) {
        self.number = number
        self.rule = rule
        followedName = rule.followedName
        self.receiver = receiver
    }

    /// Whether a signal matches the rule.
    func wants(_ message: IncomingMessage, _ signal: SignalName, _ names: NameTable) -> Bool {
        rule.matches(message, signal, names, followedName: followedName)
    }

    /// Delivers a signal; returns true if the stream dropped a signal for the first time.
    func deliver(_ message: IncomingMessage) throws(DBusError) -> Bool {
        switch receiver {
        case .handler(let handler):
            handler(message)
        case .stream(let continuation):
            if case .dropped = continuation.yield(try message.message()) {
                droppedCount += 1
                return droppedCount == 1
            }
        case nil: break
        }
        return false
    }

    func finish() {
        if case .stream(let continuation) = receiver { continuation.finish() }
        receiver = nil
    }
}
