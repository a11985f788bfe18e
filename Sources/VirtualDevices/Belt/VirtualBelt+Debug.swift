import Bluetooth

extension VirtualBelt {
    /// The error log of the belt.
    struct ErrorLog: Hashable, Sendable {
        /// How often the belt was started.
        var session: UInt16 = 0
        var entries: [Entry] = []

        struct Entry: Hashable, Sendable {
            var code: UInt32
            var milliseconds: UInt32
            var session: UInt16
        }
    }

    /// Carries out a debug command: the self-test or an access to the error log.
    mutating func debugInput(_ bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        switch bytes.first {
        case 0x02:
            turn.notify(Attribute.debugOutput, [0x02, 0x01, bytes.count > 1 ? bytes[1] : 0x1F])
            turn.start(.selfTest, after: .seconds(1))
        case 0x0B: sendLog(&turn)
        default: throw Rejected("unknown debug command")
        }
    }

    func finishSelfTest(_ turn: inout Turn) {
        turn.notify(Attribute.debugOutput, [0x02, 0x00, 0x00, 0x00])
    }

    private func sendLog(_ turn: inout Turn) {
        let entries = log.entries.suffix(255)
        turn.notify(
            Attribute.debugOutput,
            [0x0B] + Packet.bytes(Int(log.session)) + [UInt8(entries.count)]
                + Packet.bytes32(entries.first?.code ?? 0) + Packet.bytes32(entries.last?.code ?? 0))
        for (index, entry) in entries.enumerated() {
            let more: UInt8 = index + 1 < entries.count ? 1 : 0
            turn.notify(
                Attribute.debugOutput,
                [0x0C] + Packet.bytes32(entry.code) + Packet.bytes32(entry.milliseconds)
                    + Packet.bytes(Int(entry.session)) + [more])
        }
    }

    /// Simulates an error, which the belt notifies and stores.
    mutating func happen(error code: UInt32, _ turn: inout Turn) {
        let (seconds, attoseconds) = turn.now.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        log.entries.append(
            .init(code: code, milliseconds: UInt32(truncatingIfNeeded: milliseconds), session: log.session))
        turn.notify(Attribute.debugOutput, [0xA0] + Packet.bytes32(code))
    }
}
