import Haptics

/// Converts intensity to on and off, because the motor of a TAP has no other levels.
///
/// Within a cycle of 50 ms, the motor runs for a share of the time that corresponds to the intensity, in steps of 10
/// ms. The rounding error of a cycle is added to the next cycle, so that the mean is correct. A short tap of a pattern
/// is a single run of the motor, which is shorter for a lower intensity.
struct TapDutyCycle {
    /// A time in which the motor runs without a break, in units of 10 ms from the start of the pattern.
    struct Run: Hashable, Sendable {
        var start: Int
        var length: Int
        var end: Int { start + length }
    }

    /// The length of a cycle, in units of 10 ms: short enough to feel like one intensity, long enough for the motor
    /// to start.
    private static let cycle = 5
    /// How long the motor runs at least for a tap of a pattern, in units of 10 ms.
    private static let shortestTap = 2

    /// The shortest pause that a wearer can feel between two events, in units of 10 ms.
    private static let shortestPause = 2

    private(set) var runs: [Run] = []
    /// Whether two events of the pattern are felt as one because the pause between them is too short for the TAP.
    private(set) var joinsEvents = false

    /// - Parameter period: If the steps are repeated, the time after which they start again.
    init(_ steps: [Timeline.Step], every period: Duration?) {
        var index = 0
        while index < steps.count {
            let step = steps[index]
            if step.tap != nil {
                let length = Int((step.intensity * (step.length / Timeline.grid)).rounded())
                append(
                    Run(start: Self.slot(step.start), length: max(Self.shortestTap, length)), isEvent: true)
                index += 1
            } else {
                let end = Self.strokeEnd(steps, from: index)
                append(stroke: steps[index..<end])
                index = end
            }
        }
        if let period { checkPause(from: steps, to: period) }
    }

    /// Checks whether the last event of a pass and the first event of the next pass are felt as two, if they are
    /// separate.
    private mutating func checkPause(from steps: [Timeline.Step], to period: Duration) {
        guard let first = steps.first, let last = steps.last, let start = runs.first?.start,
            let end = runs.last?.end
        else { return }
        let isSeparate = period + first.start > last.end || first.tap != nil || last.tap != nil
        if isSeparate, period + Timeline.grid * start < Timeline.grid * (end + Self.shortestPause) {
            joinsEvents = true
        }
    }

    /// Returns the index of the first step after a series of steps without gaps.
    private static func strokeEnd(_ steps: [Timeline.Step], from first: Int) -> Int {
        var next = first + 1
        while next < steps.count, steps[next].tap == nil, steps[next].start == steps[next - 1].end {
            next += 1
        }
        return next
    }

    private mutating func append(stroke steps: ArraySlice<Timeline.Step>) {
        var levels: [Double] = []
        guard let first = steps.first else { return }
        let begin = Self.slot(first.start)
        for step in steps {
            // Even a vibration of less than a unit is felt.
            let end = max(1, Self.slot(step.end) - begin)
            while levels.count < end { levels.append(step.intensity) }
        }
        var carried = 0.0
        for start in stride(from: 0, to: levels.count, by: Self.cycle) {
            let part = levels[start..<min(start + Self.cycle, levels.count)]
            let wanted = part.reduce(carried, +)
            // The first cycle is never silent, so that even a weak vibration starts on time.
            let length = min(max(start == 0 ? 1 : 0, Int(wanted.rounded())), part.count)
            carried = wanted - Double(length)
            append(Run(start: begin + start, length: length), isEvent: start == 0)
        }
    }

    /// Appends a run, which is a time in which the motor is on. If the run touches the last run, the last run gets
    /// longer instead.
    ///
    /// - Parameter isEvent: Whether the run starts a haptic event, before which a pause must be felt.
    private mutating func append(_ run: Run, isEvent: Bool) {
        guard run.length > 0 else { return }
        guard let last = runs.last else { return runs.append(run) }
        if isEvent, run.start < last.end + Self.shortestPause { joinsEvents = true }
        if last.end >= run.start {
            runs[runs.count - 1].length = max(last.end, run.end) - last.start
        } else {
            runs.append(run)
        }
    }

    private static func slot(_ time: Duration) -> Int { Int((time / Timeline.grid).rounded()) }
}
