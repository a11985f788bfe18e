import BridgeContract

/// The status of the broker connection: whether it exists, whether it is being replaced, and which topics are refused.
package struct BrokerStatus: Sendable {
    /// The progress of replacing a connection on which messages piled up.
    private enum Renewal: Sendable {
        /// The connection is not being replaced.
        case none
        /// The bridge reads the messages that piled up on the old connection, and obeys the stops among them.
        case reading
        /// The new connection is being established.
        case connecting
        /// The new connection is being established, and messages have already piled up on it.
        case again
    }

    private enum Connection: Sendable {
        case away
        /// The broker is connected, or the bridge is replacing the connection.
        case connected(version: String, Renewal)
    }

    private var connection = Connection.away
    /// The topics that the broker has refused on this connection, with the reasons.
    package private(set) var refusals: [String: String] = [:]
    /// The number of answers refused on this connection. The senders of the requests chose their topics.
    package private(set) var refusedAnswers = 0

    /// The MQTT version of the connection; nil while disconnected.
    package var version: String? { if case .connected(let version, _) = connection { version } else { nil } }

    /// Whether the broker is connected, or the bridge is replacing the connection.
    package var isConnected: Bool { version != nil }

    private var renewal: Renewal {
        get { if case .connected(_, let renewal) = connection { renewal } else { .none } }
        set {
            guard let version else { return }
            connection = .connected(version: version, newValue)
        }
    }

    /// Records a new broker connection.
    package mutating func connected(version: String) {
        connection = .connected(version: version, renewal)
        refusals = [:]
        refusedAnswers = 0
    }

    /// Records that the broker connection is lost.
    ///
    /// - Returns: False if the bridge closed the connection to discard the messages that piled up.
    package mutating func lost() -> Bool {
        if renewal == .reading {
            renewal = .connecting
            return false
        }
        connection = .away
        return true
    }

    // MARK: Replacing the connection

    /// Requests a replacement of the broker connection: the bridge reads the messages that piled up, obeys the stops
    /// among them, and reconnects.
    ///
    /// - Returns: Whether to replace the connection; false while disconnected, since the next connection has no old
    ///   messages.
    package mutating func renew() -> Bool {
        guard isConnected else { return false }
        renewal = renewal == .none || renewal == .reading ? .reading : .again
        return true
    }

    /// Decides whether the new connection can be used, which completes the replacement.
    ///
    /// - Returns: Whether the messages on the connection are current. Otherwise, replace the connection again.
    package mutating func catchUp() -> Bool {
        let isLate = renewal == .again
        renewal = isLate ? .reading : .none
        return !isLate
    }

    // MARK: Refusals

    /// Records that the broker refuses a topic or a subscription.
    package mutating func refused(_ topic: String, _ reason: String) {
        guard refusals.count < BridgeFeatures.refusalCapacity || refusals[topic] != nil else { return }
        refusals[topic] = reason
    }

    /// Records that the broker refuses an answer on a topic that the sender of the request chose. This is not a fault
    /// of the bridge.
    package mutating func refusedAnswer() { refusedAnswers += 1 }

    /// Records that the broker accepts a topic or grants a subscription.
    package mutating func accepted(_ topic: String) { refusals[topic] = nil }
}
