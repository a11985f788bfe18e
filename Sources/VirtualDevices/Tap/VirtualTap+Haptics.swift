import Bluetooth

extension VirtualTap {
    /// A sequence of pulses in progress.
    struct Vibration: Hashable, Sendable {
        var isOn = false
        /// When the motor is switched on and off next, in order.
        var edges: [Edge] = []

        struct Edge: Hashable, Sendable {
            var time: Duration
            var isOn: Bool
        }
    }

    /// Carries out a command that a client wrote to the user interface characteristic: it controls the vibration motor.
    mutating func userInterface(_ bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        guard bytes.count >= 2 else { throw Rejected("a command has a peripheral and an action") }
        guard bytes[0] == 0x00 else { throw Rejected("unknown peripheral \(bytes[0])") }
        switch bytes[1] {
        case 0x02: play(bytes[2...].prefix(18).map { .milliseconds(10) * Int($0) }, &turn)
        case 0x00 where choices.playsSinglePulse:
            guard bytes.count >= 5 else { throw Rejected("a single pulse has 5 bytes") }
            let length = Packet.u16(bytes, 2)
            guard (1...300).contains(length) else { throw Rejected("a single pulse lasts 1 to 300 ms") }
            play([.milliseconds(length)], &turn)
        default: throw Rejected("unknown haptic action \(bytes[1])")
        }
    }

    /// Plays alternating on and off times, starting with on, and replaces the current sequence. Entries of length zero
    /// are skipped, and their neighbors are joined.
    mutating func play(_ durations: [Duration], _ turn: inout Turn) {
        vibration.edges = []
        var time = turn.now
        for (place, duration) in durations.enumerated() where duration > .zero {
            let isOn = place.isMultiple(of: 2)
            if vibration.edges.last?.isOn != isOn {
                vibration.edges.append(Vibration.Edge(time: time, isOn: isOn))
            }
            time += duration
        }
        if vibration.edges.last?.isOn ?? true {
            vibration.edges.append(Vibration.Edge(time: time, isOn: false))
        }
        advanceVibration(&turn)
    }

    mutating func advanceVibration(_ turn: inout Turn) {
        while let edge = vibration.edges.first, edge.time <= turn.now {
            vibration.edges.removeFirst()
            guard edge.isOn != vibration.isOn else { continue }
            vibration.isOn = edge.isOn
            turn.reactions.append(.report(.vibrate(edge.isOn)))
        }
        if let next = vibration.edges.first {
            turn.start(.vibration, after: next.time - turn.now)
        } else {
            turn.cancel(.vibration)
        }
    }
}
