import Haptics

/// Turns intensity into on and off: a TAP's motor knows nothing in between.
///
/// Within a cycle of 50 ms the motor runs for the share of the time that the intensity says, in steps of 10 ms; what a
/// cycle cannot show is carried into the next one, so that the mean is right. A tap is one stretch, shorter the weaker
/// it is.
struct TapDutyCycle {
    /// A stretch of time in which the motor runs, in tens of milliseconds from the start of the pass.
    struct Run: Hashable, Sendable {
        var start: Int
        var length: Int
        var end: Int { start + length }
    }

    /// Tens of milliseconds in a cycle: short enough to be felt as one strength, long enough for the motor to start.
    private static let cycle = 5
    /// The shortest tap, in tens of milliseconds.
    private static let shortestTap = 2

    private(set) var runs: [Run] = []

    init(_ steps: [Timeline.Step]) {
        var index = 0
        while index < steps.count {
            let step = steps[index]
            if step.tap != nil {
                let length = Int((step.intensity * (step.length / Timeline.grid)).rounded())
                append(Run(start: Self.slot(step.start), length: max(Self.shortestTap, length)))
                index += 1
            } else {
                let end = Self.strokeEnd(steps, from: index)
                append(stroke: steps[index..<end])
                index = end
            }
        }
    }

    /// The first step behind those that follow each other without a gap.
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
            let end = Self.slot(step.end) - begin
            while levels.count < end { levels.append(step.intensity) }
        }
        var carried = 0.0
        for start in stride(from: 0, to: levels.count, by: Self.cycle) {
            let part = levels[start..<min(start + Self.cycle, levels.count)]
            let wanted = part.reduce(carried, +)
            let length = min(max(0, Int(wanted.rounded())), part.count)
            carried = wanted - Double(length)
            append(Run(start: begin + start, length: length))
        }
    }

    /// Adds a run, or makes the last one longer where they meet.
    private mutating func append(_ run: Run) {
        guard run.length > 0 else { return }
        if let last = runs.last, last.end >= run.start {
            runs[runs.count - 1].length = max(last.end, run.end) - last.start
        } else {
            runs.append(run)
        }
    }

    private static func slot(_ time: Duration) -> Int { Int((time / Timeline.grid).rounded()) }
}
