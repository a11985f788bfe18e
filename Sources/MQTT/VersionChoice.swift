/// Decides which protocol version the next attempt to connect speaks.
///
/// Version 5 is asked for first. A broker that refuses it is asked for 3.1.1 at once, and what worked is
/// remembered. Some old brokers do not refuse but hang up: after two hang-ups in a row, of a broker that never
/// spoke version 5 to us, the other version gets its turn.
struct VersionChoice {
    private(set) var next: ProtocolVersion
    private let isFixed: Bool
    private var lastThatWorked: ProtocolVersion?
    private var hangUps = 0

    init(_ wanted: Configuration.Version) {
        switch wanted {
        case .auto: (next, isFixed) = (.v5, false)
        case .v5: (next, isFixed) = (.v5, true)
        case .v311: (next, isFixed) = (.v311, true)
        }
    }

    /// Remembers that the broker accepted the version that was asked for.
    mutating func accepted() {
        lastThatWorked = next
        hangUps = 0
    }

    /// Turns to the other version because the broker does not know this one; true if there is another to try.
    mutating func refused() -> Bool {
        hangUps = 0
        guard !isFixed else { return false }
        let isFirstRefusal = next == .v5
        next = next == .v5 ? .v311 : .v5
        return isFirstRefusal
    }

    /// Counts that the broker closed the connection without a word before accepting it.
    mutating func hungUp() {
        guard !isFixed, lastThatWorked == nil else { return }
        hangUps += 1
        guard hangUps.isMultiple(of: 2) else { return }
        next = next == .v5 ? .v311 : .v5
    }
}
