/// Decides which of several brokers is asked next.
///
/// They are asked in their order, in rounds: the next one at once where one fails, and after a round there is a
/// wait. A connection that is lost is sought at the next broker first: the one that was lost may not answer for
/// long. A broker that comes back is not returned to, as that would cost a connection that works.
struct ServerChoice {
    private let count: Int
    /// Which broker is asked, or was asked last.
    private(set) var current = 0
    /// Why each broker of this round that was asked gave no connection.
    private var failures: [MQTTError] = []
    /// Whether a whole round has failed since the last connection.
    private(set) var hasFailed = false

    /// - Parameter count: How many brokers there are, at least one.
    init(count: Int) { self.count = count }

    /// Whether there is a broker that was not asked in this round.
    var hasMore: Bool { failures.count + 1 < count }

    /// Begins a round.
    mutating func begin() { failures = [] }

    /// Notes that a broker gave no connection.
    ///
    /// - Returns: Whether to ask the next one at once.
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

    /// Why the round that has ended led to no connection; nil if it failed for no reason of a broker.
    var failure: MQTTError? {
        guard let last = failures.last, failures.count > 1 else { return failures.last }
        // The broker that may be back soonest decides how long to wait.
        let hopeful = failures.first { $0.pace(isLocal: true) == .local } ?? last
        return MQTTError(
            hopeful.code, broker: failures.map(\.broker).joined(separator: ", "),
            explanation: failures.map { "\($0.broker): \($0.explanation)" }.joined(separator: "; "),
            remedy: hopeful.remedy)
    }

    /// Notes that a broker accepted the connection.
    mutating func accepted() {
        failures = []
        hasFailed = false
    }

    /// Notes that a connection ended.
    ///
    /// - Returns: Whether another broker is asked first.
    mutating func lost(_ error: MQTTError) -> Bool {
        failures = []
        guard count > 1, error.concernsBroker else { return false }
        current = (current + 1) % count
        return true
    }
}

extension MQTTError {
    /// Whether another broker may do better.
    var concernsBroker: Bool {
        switch code {
        case .sessionTakenOver, .invalidConfiguration, .closed: false
        default: true
        }
    }
}
