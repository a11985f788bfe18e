/// Decides which of several brokers is tried next.
///
/// The brokers are tried in order, in rounds: after a failure the next broker is tried immediately, and after a round
/// there is a delay. After a lost connection the next broker is tried first, since the broker whose connection was lost
/// may be unresponsive for long. The client does not switch back when an earlier broker is available again, because
/// that would interrupt a working connection.
struct ServerChoice {
    private let count: Int
    /// The index of the current broker, or of the last broker that was tried.
    private(set) var current = 0
    /// The errors of the brokers that failed in this round.
    private var failures: [MQTTError] = []
    /// Whether a whole round has failed since the last connection.
    private(set) var hasFailed = false

    /// - Parameter count: The number of brokers, at least one.
    init(count: Int) { self.count = count }

    /// Whether a broker remains that was not tried in this round.
    var hasMore: Bool { failures.count + 1 < count }

    mutating func begin() { failures = [] }

    /// Records that a broker failed.
    ///
    /// - Returns: Whether to try the next broker immediately.
    mutating func failed(_ error: MQTTError) -> Bool {
        guard error.concernsBroker else {
            failures = [error]
            return false
        }
        let mayAsk = hasMore
        failures.append(error)
        current = (current + 1) % count
        if !mayAsk { hasFailed = true }
        return mayAsk
    }

    /// The error of the finished round; nil if no broker failed.
    var failure: MQTTError? {
        guard let last = failures.last, failures.count > 1 else { return failures.last }
        // The delay follows from the error with the shortest delay, because that broker may be available first.
        let hopeful = failures.first { $0.pace(isLocal: true) == .local } ?? last
        return MQTTError(
            hopeful.code, broker: failures.map(\.broker).joined(separator: ", "),
            explanation: failures.map { "\($0.broker): \($0.explanation)" }.joined(separator: "; "),
            remedy: hopeful.remedy)
    }

    mutating func accepted() {
        failures = []
        hasFailed = false
    }

    /// Records that a connection ended.
    ///
    /// - Returns: Whether another broker is tried first.
    mutating func lost(_ error: MQTTError) -> Bool {
        failures = []
        guard count > 1, error.concernsBroker else { return false }
        current = (current + 1) % count
        return true
    }
}

extension MQTTError {
    /// Whether the error concerns only this broker, so that another broker may work.
    var concernsBroker: Bool {
        switch code {
        case .sessionTakenOver, .invalidConfiguration, .closed: false
        default: true
        }
    }
}
