/// A curve of intensities that fits into one message. If it has too many steps, they are replaced by averages over
/// slots of equal length.
package struct SampledCurve: Sendable {
    /// A period of constant intensity.
    package struct Step: Hashable, Sendable {
        package var start: Duration
        package var length: Duration
        package var intensity: Double
        package var sharpness = 0.0

        package init(start: Duration, length: Duration, intensity: Double, sharpness: Double = 0.0) {
            self.start = start
            self.length = length
            self.intensity = intensity
            self.sharpness = sharpness
        }
    }

    package private(set) var steps: [Step]
    /// Whether the curve had too many steps and was replaced by averages over slots.
    package let isSampled: Bool

    /// - Parameters:
    ///   - steps: The steps, in order and without overlaps.
    ///   - slot: The length of a slot.
    ///   - limit: The maximum number of steps. This many slots must cover the whole curve.
    package init(_ steps: [Step], slot: Duration, limit: Int) {
        isSampled = steps.count > limit
        self.steps = isSampled ? Self.sampled(steps, slot, limit) : steps
    }

    /// The length of a slot, in whole milliseconds, if `limit` slots cover the given time.
    package static func slot(covering length: Duration, limit: Int) -> Duration {
        .milliseconds(max(1, (length.milliseconds + limit) / limit))
    }

    private static func sampled(_ steps: [Step], _ slot: Duration, _ limit: Int) -> [Step] {
        var slots = (0..<limit).map { Step(start: slot * $0, length: slot, intensity: 0) }
        // The positions are integers, because each iteration must advance `position`. With a floating-point quotient,
        // rounding could prevent that.
        let width = nanoseconds(slot)
        for step in steps {
            var position = nanoseconds(step.start)
            let end = nanoseconds(step.start + step.length)
            while position < end {
                let place = min(Int(position / width), limit - 1)
                let next = place == limit - 1 ? end : min(end, width * Int64(place + 1))
                let share = Double(next - position) / Double(width) * step.intensity
                slots[place].intensity += share
                slots[place].sharpness += share * step.sharpness
                position = next
            }
        }
        return slots.filter { $0.intensity > 0 }.map { step in
            var step = step
            step.sharpness /= step.intensity
            step.intensity = min(step.intensity, 1)
            return step
        }
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
