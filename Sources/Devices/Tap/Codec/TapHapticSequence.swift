/// A sequence of alternating vibrations and pauses, written to `c3ff0009`.
struct TapHapticSequence: Hashable, Sendable {
    /// The number of durations in a packet.
    static let counts = 1...18
    /// The range of each duration, in milliseconds: the protocol has one byte in units of 10 ms. Zero probably ends
    /// the sequence or skips a step.
    static let durations = 10...2550

    /// The durations of vibration, pause, vibration, …, each in units of 10 ms.
    private let steps: [UInt8]

    /// Creates a sequence from durations in milliseconds, rounded down to units of 10 ms; nil if there are too many,
    /// or one is out of range.
    init?(milliseconds: [Int]) {
        guard Self.counts.contains(milliseconds.count), milliseconds.allSatisfy(Self.durations.contains)
        else { return nil }
        steps = milliseconds.map { UInt8($0 / 10) }
    }

    /// Decodes a packet with or without padding; nil for another action, or without a step.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 2, bytes.count <= 20, bytes[0] == 0x00, bytes[1] == 0x02,
            let last = bytes.lastIndex(where: { $0 != 0 }), last >= 2
        else { return nil }
        steps = Array(bytes[2...last])
    }

    /// The durations in milliseconds.
    var milliseconds: [Int] { steps.map { Int($0) * 10 } }
    /// The duration of the whole sequence.
    var time: Duration { .milliseconds(milliseconds.reduce(0, +)) }

    /// The packet: 20 bytes, padded as on iOS and Android. It starts with the peripheral type 0 and the action 2.
    var bytes: [UInt8] { Self.silence.replacingSteps(with: steps) }

    /// A packet without steps, which replaces a sequence that plays.
    static let silence: [UInt8] = [0x00, 0x02] + [UInt8](repeating: 0, count: counts.upperBound)
}

extension [UInt8] {
    fileprivate func replacingSteps(with steps: [UInt8]) -> [UInt8] {
        var bytes = self
        bytes.replaceSubrange(2..<(2 + steps.count), with: steps)
        return bytes
    }
}
