import Haptics

/// A pattern in the form in which a belt plays it: one write for each change of intensity.
///
/// Steps at different places that overlap in time are assigned to different slots. Each slot plays on its own channel
/// of the belt.
struct BeltHapticRendering: Hashable, Sendable {
    /// The shortest time between two writes: a connection with a common connection interval supports approximately this
    /// rate.
    static let shortest = Duration.milliseconds(50)
    /// If two steps are merged into one write and their intensities (0 to 1) differ by at most this much, the command's
    /// answer does not report the loss.
    private static let tolerance = 0.2

    /// The writes of one repetition of the pattern.
    private(set) var cues: [Schedule<BeltHapticStep>.Cue] = []
    /// The properties of the pattern that the belt cannot reproduce.
    private(set) var degraded: Set<Loss>

    /// Renders a pattern.
    ///
    /// - Parameter slots: The number of channels that the belt can use at once.
    init(_ timeline: Timeline, slots: Int) {
        degraded = timeline.lost
        var sequences = [timeline.steps]
        if let separate = Self.slots(of: timeline.lanes) {
            if separate.count <= slots { sequences = separate } else { degraded.insert(.position) }
        }
        var merging = Merging(shortest: Self.shortest * sequences.count)
        for (slot, sequence) in sequences.enumerated() {
            append(merging.steps(of: sequence), slot, timeline)
        }
        cues.sort { ($0.time, $0.message.slot) < ($1.time, $1.message.slot) }
        if merging.isCoarse { degraded.insert(.timing) }
        if merging.joinsPlaces { degraded.insert(.position) }
        if timeline.steps.contains(where: { $0.tap == nil }) { degraded.insert(.sharpness) }
    }

    private mutating func append(_ steps: [Timeline.Step], _ slot: Int, _ timeline: Timeline) {
        for (index, step) in steps.enumerated() {
            var isFollowed = index + 1 < steps.count && steps[index + 1].start == step.end
            // If the pattern repeats without a pause, the first step of the next repetition follows the last step,
            // which is therefore written with the additional duration too.
            if index + 1 == steps.count, timeline.passes > 1, steps[0].start == .zero {
                isFollowed = step.end == timeline.period
            }
            cues.append(
                .init(
                    at: step.start,
                    BeltHapticStep(
                        intensity: UInt8(clamping: max(1, Int((step.intensity * 100).rounded()))),
                        length: Int(step.length / .milliseconds(1)), tap: step.tap,
                        isFollowed: isFollowed && step.tap == nil, place: step.place, slot: slot)))
        }
    }

    /// Distributes the steps at all places over slots, so that the steps of one slot do not overlap in time.
    ///
    /// - Returns: The steps of each slot; nil if no steps overlap.
    private static func slots(of lanes: [Timeline.Lane]) -> [[Timeline.Step]]? {
        guard lanes.count > 1 else { return nil }
        var runs: [[Timeline.Step]] = []
        for lane in lanes {
            var end: Duration?
            for step in lane.steps {
                if end == step.start { runs[runs.count - 1].append(step) } else { runs.append([step]) }
                end = step.end
            }
        }
        var slots: [[Timeline.Step]] = []
        for run in runs.sorted(by: { $0[0].start < $1[0].start }) {
            if let free = slots.firstIndex(where: { $0[$0.count - 1].end <= run[0].start }) {
                slots[free] += run
            } else {
                slots.append(run)
            }
        }
        return slots.count > 1 ? slots : nil
    }

    /// Merges steps that follow each other too quickly, with the mean of their intensities.
    private struct Merging {
        let shortest: Duration
        var isCoarse = false
        /// Whether steps at different places were merged.
        var joinsPlaces = false

        mutating func steps(of steps: [Timeline.Step]) -> [Timeline.Step] {
            var merged: [Timeline.Step] = []
            var index = 0
            while index < steps.count {
                var group = [steps[index]]
                index += 1
                while index < steps.count, steps[index].start < group[0].start + shortest {
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
            mean.place = group.max { $0.length < $1.length }?.place ?? .whole
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
            if group.contains(where: { $0.place != mean.place }) { joinsPlaces = true }
            return mean
        }
    }
}
