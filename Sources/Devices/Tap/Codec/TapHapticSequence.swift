/// Vibration and pause by turns, written to `c3ff0009`.
struct TapHapticSequence: Hashable, Sendable {
    /// How many durations a packet holds.
    static let counts = 1...18
    /// How long each may be, in milliseconds: a byte of tens. Zero would end or skip a step, as far as is known.
    static let durations = 10...2550

    /// On, pause, on, …: each in tens of milliseconds.
    private let steps: [UInt8]

    /// Takes durations in milliseconds, rounded down to tens; nil if there are too many, or one is out of range.
    init?(milliseconds: [Int]) {
        guard Self.counts.contains(milliseconds.count), milliseconds.allSatisfy(Self.durations.contains)
        else { return nil }
        steps = milliseconds.map { UInt8($0 / 10) }
    }

    /// Decodes a packet, padded or not; nil for another action or without a step.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 2, bytes.count <= 20, bytes[0] == 0x00, bytes[1] == 0x02,
            let last = bytes.lastIndex(where: { $0 != 0 }), last >= 2
        else { return nil }
        steps = Array(bytes[2...last])
    }

    /// The durations in milliseconds.
    var milliseconds: [Int] { steps.map { Int($0) * 10 } }
    /// How long the whole takes.
    var time: Duration { .milliseconds(milliseconds.reduce(0, +)) }

    /// The packet: 20 bytes, padded as iOS and Android have it; the peripheral type 0 and the action 2 come first.
    var bytes: [UInt8] { Self.silence.replacingSteps(with: steps) }

    /// No step at all, which takes the place of a sequence that plays.
    static let silence: [UInt8] = [0x00, 0x02] + [UInt8](repeating: 0, count: counts.upperBound)
}

extension [UInt8] {
    fileprivate func replacingSteps(with steps: [UInt8]) -> [UInt8] {
        var bytes = self
        bytes.replaceSubrange(2..<(2 + steps.count), with: steps)
        return bytes
    }
}
