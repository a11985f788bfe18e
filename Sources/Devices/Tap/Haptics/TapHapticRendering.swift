import Haptics

/// A pattern in the form in which a TAP plays it: rhythms of on and off. Each rhythm is one packet, which is written
/// when its first vibration is due.
struct TapHapticRendering: Hashable, Sendable {
    /// The writes of one repetition of the pattern.
    private(set) var cues: [Schedule<TapHapticSequence>.Cue] = []
    /// The properties of the pattern that the TAP cannot reproduce.
    private(set) var degraded: Set<Loss>

    /// The longest vibration in a packet, in units of 10 ms. A longer vibration is continued by the next packet.
    private static let longest = 250
    /// The additional duration, in units of 10 ms, of a vibration that the next packet continues, in case the next
    /// packet is delayed.
    private static let lingering = 5

    init(_ timeline: Timeline) {
        degraded = timeline.lostAtOnePlace
        if timeline.steps.contains(where: { $0.intensity < 1 }) { degraded.insert(.intensity) }
        if timeline.steps.contains(where: { $0.tap == nil }) { degraded.insert(.sharpness) }
        if timeline.hasPositions { degraded.insert(.position) }
        let dutyCycle = TapDutyCycle(timeline.steps, every: timeline.passes > 1 ? timeline.period : nil)
        if dutyCycle.joinsEvents { degraded.insert(.timing) }
        var packet = Packet()
        for run in dutyCycle.runs {
            var remainder = run
            while remainder.length > Self.longest {
                finish(&packet)
                packet = Packet(start: remainder.start, durations: [Self.longest + Self.lingering])
                finish(&packet)
                remainder = TapDutyCycle.Run(
                    start: remainder.start + Self.longest, length: remainder.length - Self.longest)
            }
            if !packet.takes(remainder) { finish(&packet) }
            packet.add(remainder)
        }
        finish(&packet)
        if timeline.passes > 1, let first = cues.first, let last = cues.last,
            timeline.period + first.time < last.time + .milliseconds(Tap.shortest)
        {
            // The link cannot carry the rhythms of such short passes on time.
            degraded.insert(.timing)
        }
    }

    private mutating func finish(_ packet: inout Packet) {
        if let sequence = TapHapticSequence(milliseconds: packet.durations.map { $0 * 10 }) {
            cues.append(.init(at: Timeline.grid * packet.start, sequence))
        }
        packet = Packet()
    }

    /// A rhythm to which vibrations are still being added, in units of 10 ms.
    private struct Packet {
        var start = 0
        var durations: [Int] = []

        /// Whether a vibration and the pause before it still fit into the packet.
        func takes(_ run: TapDutyCycle.Run) -> Bool {
            guard !durations.isEmpty else { return true }
            let pause = run.start - start - durations.reduce(0, +)
            return durations.count + 2 <= TapHapticSequence.counts.upperBound && pause > 0
                && pause * 10 <= TapHapticSequence.durations.upperBound
        }

        mutating func add(_ run: TapDutyCycle.Run) {
            if durations.isEmpty {
                start = run.start
            } else {
                durations.append(run.start - start - durations.reduce(0, +))
            }
            durations.append(run.length)
        }
    }
}
