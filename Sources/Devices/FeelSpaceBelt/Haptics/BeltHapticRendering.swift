import Haptics

/// A pattern as a belt plays it: one write for each change of intensity.
struct BeltHapticRendering: Hashable, Sendable {
    /// The shortest time between two writes: approximately the capacity of a link with a common connection interval.
    static let shortest = Duration.milliseconds(50)
    /// The difference of intensities within one write above which the answer mentions it.
    private static let tolerance = 0.2

    /// The writes of one pass.
    private(set) var cues: [Schedule<BeltHapticStep>.Cue] = []
    /// The parts of the pattern that the belt cannot play.
    private(set) var degraded: [String]

    init(_ timeline: Timeline) {
        var merging = Merging()
        let steps = merging.steps(of: timeline.steps)
        for (index, step) in steps.enumerated() {
            let isFollowed = index + 1 < steps.count && steps[index + 1].start == step.end
            cues.append(
                .init(
                    at: step.start,
                    BeltHapticStep(
                        intensity: UInt8(clamping: max(1, Int((step.intensity * 100).rounded()))),
                        length: Int(step.length / .milliseconds(1)), tap: step.tap,
                        isFollowed: isFollowed && step.tap == nil)))
        }
        // If the end of a repeated pattern meets its start, the last step lasts longer too.
        if timeline.passes > 1, let last = steps.last, let first = steps.first, first.start == .zero,
            last.end == timeline.period, last.tap == nil
        {
            cues[cues.count - 1].message.isFollowed = true
        }
        degraded = timeline.lost
        if merging.isCoarse { degraded.append("timing") }
        if timeline.steps.contains(where: { $0.tap == nil }) { degraded.append("sharpness") }
    }

    /// Merges steps that follow each other too quickly, with the mean of their intensities.
    private struct Merging {
        var isCoarse = false

        mutating func steps(of steps: [Timeline.Step]) -> [Timeline.Step] {
            var merged: [Timeline.Step] = []
            var index = 0
            while index < steps.count {
                var group = [steps[index]]
                index += 1
                while index < steps.count, steps[index].start < group[0].start + BeltHapticRendering.shortest
                {
                    group.append(steps[index])
                    index += 1
                }
                merged.append(group.count == 1 ? group[0] : mean(of: group))
            }
            return merged
        }

        private mutating func mean(of group: [Timeline.Step]) -> Timeline.Step {
            let last = group[group.count - 1]
            var mean = Timeline.Step(
                start: group[0].start, length: last.end - group[0].start, intensity: 0, sharpness: 0)
            for step in group {
                mean.intensity += step.intensity * (step.length / mean.length)
                mean.sharpness += step.sharpness * (step.length / mean.length)
            }
            let values = group.map(\.intensity)
            let spread = (values.max() ?? 0) - (values.min() ?? 0)
            let hasGaps = group.reduce(.zero) { $0 + $1.length } < mean.length
            if spread > BeltHapticRendering.tolerance || hasGaps || group.contains(where: { $0.tap != nil }) {
                isCoarse = true
            }
            return mean
        }
    }
}
