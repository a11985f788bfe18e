/// A short melody for the buzzer, written to `FE07`; firmware 45 and newer (`BeltSound` of FSLib-Android).
struct BeltTone: Hashable, Sendable {
    struct Step: Hashable, Sendable {
        /// The frequency in units of 31.25 Hz; 0 is silence.
        var frequency: UInt8
        /// The duration in units of 10 ms.
        var duration: UInt8

        /// Creates a step from the units of the packet: frequency in 31.25 Hz, duration in 10 ms.
        init(frequency: UInt8, duration: UInt8) {
            self.frequency = frequency
            self.duration = duration
        }

        /// Creates a step from hertz (0 to 7968.75) and milliseconds (0 to 2550), both truncated.
        init(hertz: Double, milliseconds: Int) {
            frequency = UInt8(max(0, min(255, hertz * 32 / 1000)))
            duration = UInt8(max(0, min(255, milliseconds / 10)))
        }
    }

    /// The tones of the melody, in order, 1 to 9.
    var steps: [Step]

    init(_ steps: [Step]) { self.steps = steps }

    private init(_ frequencies: [UInt8], _ durations: [UInt8]) {
        steps = zip(frequencies, durations).map { Step(frequency: $0, duration: $1) }
    }

    /// Decodes a tone command; nil if it is shorter than its step count requires, or is another command.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4, bytes[0] == 0x01 else { return nil }
        let count = Int(bytes[1])
        guard (1...9).contains(count), bytes.count >= 2 + 2 * count else { return nil }
        self.init(Array(bytes[2..<2 + count]), Array(bytes[(2 + count)..<(2 + 2 * count)]))
    }

    var bytes: [UInt8] {
        [0x01, UInt8(clamping: steps.count)] + steps.map(\.frequency) + steps.map(\.duration)
    }

    /// The predefined sounds of FSLib-Android, by their names in topics.
    static let named: [(name: String, tone: BeltTone)] = [
        ("start", BeltTone([0x19, 0, 0x20], [5, 10, 5])),
        ("stop", BeltTone([0x20, 0, 0x19], [5, 10, 5])),
        ("success", BeltTone([0x20, 0, 0x30, 0, 0x40], [5, 10, 5, 10, 5])),
        ("error", BeltTone([0x20, 0, 0x20, 0, 0x20], [25, 25, 25, 25, 25])),
        ("single_short_beep", BeltTone([0x30], [5])),
        ("double_short_beep", BeltTone([0x30, 0, 0x30], [5, 10, 5])),
        ("triple_short_beep", BeltTone([0x30, 0, 0x30, 0, 0x30], [5, 10, 5, 10, 5])),
        ("single_long_beep", BeltTone([0x30], [25])),
        ("double_long_beep", BeltTone([0x30, 0, 0x30], [25, 25, 25])),
        ("triple_long_beep", BeltTone([0x30, 0, 0x30, 0, 0x30], [25, 25, 25, 25, 25])),
    ]
}
