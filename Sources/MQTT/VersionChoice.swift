/// Decides which protocol version the next attempt to connect speaks.
///
/// Version 5 is asked for first. A broker that refuses it is asked for 3.1.1 at once, and what worked is
/// remembered. Some old brokers do not refuse but hang up. So does whatever accepts connections for a broker that is not
/// up yet (the proxy of a container, for example), so a guess is put to the proof: after two hang-ups 3.1.1 gets
/// its turn, and if that is accepted, version 5 is tried once more before 3.1.1 is settled for. Others never answer
/// (amqtt); so does a broker that is stalled, and the same proof distinguishes them, after one silence.
struct VersionChoice {
    private enum Knowledge {
        /// Nothing is known; so many hang-ups in a row.
        case none(hangUps: Int)
        /// 3.1.1 is next only because version 5 was hung up on.
        case guess
        /// 3.1.1 worked; version 5 is asked a last time.
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

    /// Notes that the broker accepted the version that was asked for; false if the connection should be given up
    /// to put a guess to the proof.
    mutating func accepted() -> Bool {
        if !isFixed, case .guess = knowledge {
            knowledge = .proof
            next = .v5
            return false
        }
        knowledge = .certain
        return true
    }

    /// Turns to the other version because the broker does not know this one; true if it may be tried at once.
    mutating func refused() -> Bool {
        guard !isFixed else { return false }
        knowledge = .none(hangUps: 0)
        let isFirstRefusal = next == .v5
        next = isFirstRefusal ? .v311 : .v5
        return isFirstRefusal
    }

    /// Notes that the broker closed the connection without a word before accepting it; true if the other version
    /// may be tried at once.
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

    /// Notes that the broker took the connection and did not answer; true if the other version may be tried at once.
    mutating func unanswered() -> Bool {
        guard !isFixed, case .none = knowledge else { return hungUp() }
        return guess()
    }

    /// Whether version 5 is only asked for once more where 3.1.1 was accepted a moment ago, which a broker that knows it
    /// answers as fast.
    var isProof: Bool { if case .proof = knowledge { true } else { false } }

    private mutating func guess() -> Bool {
        knowledge = .guess
        next = .v311
        return false
    }
}
