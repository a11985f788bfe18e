/// Decides the protocol version of the next attempt to connect.
///
/// Version 5 is tried first. A broker that rejects it is tried with 3.1.1 immediately, and the version that worked is
/// remembered.
///
/// Some old brokers do not reject version 5 but close the connection. A server that accepts connections for a broker
/// that has not started, such as the proxy of a container, closes them too. So 3.1.1 is tried only after the broker has
/// closed two connections. If the broker accepts 3.1.1, version 5 is tried once more before 3.1.1 is kept.
///
/// Other old brokers never answer version 5 (amqtt), and neither does a stalled broker. 3.1.1 is tried after one
/// unanswered attempt, with the same last test of version 5.
struct VersionChoice {
    private enum Knowledge {
        /// Neither version is known to work; `hangUps` is the number of connections in a row that the broker closed
        /// without accepting the client.
        case none(hangUps: Int)
        /// Version 5 led to closed connections, so 3.1.1 is tried without knowing that the broker supports it.
        case guess
        /// The broker accepted 3.1.1; version 5 is tried once more before 3.1.1 is kept.
        case proof
        case certain
    }

    private(set) var next: ProtocolVersion
    private let isFixed: Bool
    private var knowledge = Knowledge.none(hangUps: 0)

    init(_ wanted: Configuration.Version) {
        switch wanted {
        case .auto: (next, isFixed) = (.v5, false)
        case .v5: (next, isFixed) = (.v5, true)
        case .v311: (next, isFixed) = (.v311, true)
        }
    }

    /// Records that the broker accepted the version; returns false if the connection should be closed to verify a
    /// guess.
    mutating func accepted() -> Bool {
        if !isFixed, case .guess = knowledge {
            knowledge = .proof
            next = .v5
            return false
        }
        knowledge = .certain
        return true
    }

    /// Switches to the other version because the broker does not support the current version; returns whether to try it
    /// immediately.
    mutating func refused() -> Bool {
        guard !isFixed else { return false }
        knowledge = .none(hangUps: 0)
        let isFirstRefusal = next == .v5
        next = isFirstRefusal ? .v311 : .v5
        return isFirstRefusal
    }

    /// Records that the broker closed the connection without accepting it; returns whether to try the other version
    /// immediately.
    mutating func hungUp() -> Bool {
        guard !isFixed else { return false }
        switch knowledge {
        case .none(let hangUps) where hangUps < 1:
            knowledge = .none(hangUps: hangUps + 1)
            return false
        case .none: return guess()
        case .guess:
            knowledge = .none(hangUps: 0)
            next = .v5
            return false
        case .proof:
            knowledge = .certain
            next = .v311
            return true
        case .certain:
            return false
        }
    }

    /// Records that the broker accepted the connection and did not answer; returns whether to try the other version
    /// immediately.
    mutating func unanswered() -> Bool {
        guard !isFixed, case .none = knowledge else { return hungUp() }
        return guess()
    }

    /// Whether the attempt only tests version 5 after 3.1.1 was accepted. A broker that supports version 5 answers it
    /// as fast as 3.1.1.
    var isProof: Bool { if case .proof = knowledge { true } else { false } }

    private mutating func guess() -> Bool {
        knowledge = .guess
        next = .v311
        return false
    }
}
