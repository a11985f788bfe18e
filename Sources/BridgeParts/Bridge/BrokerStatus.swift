import BridgeContract

/// The connection to the broker: whether it is there, whether it is being left behind, and what the broker refuses.
package struct BrokerStatus: Sendable {
    /// How far the bridge is in leaving what piled up at the broker behind.
    private enum Renewal: Sendable {
        /// Nothing piled up.
        case none
        /// The old connection is read for stops.
        case reading
        /// The new connection is being made.
        case connecting
        /// The new connection is being made, and something piled up on it already.
        case again
    }

    private enum Connection: Sendable {
        case away
        /// It is there, or is being made anew because the bridge wanted that.
        case connected(version: String, Renewal)
    }

    private var connection = Connection.away
    /// The topics that the broker refuses since the connection was made, each with the reason.
    package private(set) var refusals: [String: String] = [:]
    /// How many answers the broker has refused since then, whose topics their senders chose.
    package private(set) var refusedAnswers = 0

    /// The version of the protocol; nil while there is no connection.
    package var version: String? { if case .connected(let version, _) = connection { version } else { nil } }

    /// Whether there is a connection, or one is being made in its place because the bridge wanted that.
    package var isConnected: Bool { version != nil }

    private var renewal: Renewal {
        get { if case .connected(_, let renewal) = connection { renewal } else { .none } }
        set {
            guard let version else { return }
            connection = .connected(version: version, newValue)
        }
    }

    /// Notes that the connection is new.
    package mutating func connected(version: String) {
        connection = .connected(version: version, renewal)
        refusals = [:]
        refusedAnswers = 0
    }

    /// Notes that the connection is lost.
    ///
    /// - Returns: False if the bridge wanted that, to leave behind what piled up.
    package mutating func lost() -> Bool {
        if renewal == .reading {
            renewal = .connecting
            return false
        }
        connection = .away
        return true
    }

    // MARK: Leaving behind what piled up

    /// Wants the connection drained and made anew.
    ///
    /// - Returns: Whether to ask for that: without a connection nothing piles up, and the next one begins clean.
    package mutating func renew() -> Bool {
        guard isConnected else { return false }
        renewal = renewal == .none || renewal == .reading ? .reading : .again
        return true
    }

    /// Judges the connection that was made.
    ///
    /// - Returns: Whether what arrives now was sent now; else the connection is to be drained and made anew.
    package mutating func catchUp() -> Bool {
        let isLate = renewal == .again
        renewal = isLate ? .reading : .none
        return !isLate
    }

    // MARK: Refusals

    /// Notes that the broker refuses a topic or a subscription.
    package mutating func refused(_ topic: String, _ reason: String) {
        guard refusals.count < BridgeFeatures.refusalCapacity || refusals[topic] != nil else { return }
        refusals[topic] = reason
    }

    /// Notes that the broker refuses an answer where its sender wants it: that is no fault of the bridge.
    package mutating func refusedAnswer() { refusedAnswers += 1 }

    /// Notes that the broker takes a topic, or grants a subscription.
    package mutating func accepted(_ topic: String) { refusals[topic] = nil }
}
