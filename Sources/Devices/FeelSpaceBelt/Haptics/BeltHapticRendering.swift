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
    /// - Parameters:
    ///   - slots: The number of channels that the belt can use at once.
    ///   - firmware: The belt's firmware; nil if it is unknown.
    init(_ timeline: Timeline, slots: Int, firmware: BeltFirmwareInformation? = nil) {
        degraded = timeline.lost
        var sequences = Self.slots(of: timeline.lanes)
        if sequences.count > slots || Self.needsTooManyMotors(sequences, firmware) {
            sequences = [timeline.steps]
            degraded = timeline.lostAtOnePlace.union([.position])
        }
        var merging = Merging(shortest: Self.shortest * sequences.count)
        let period = timeline.passes > 1 ? timeline.period : nil
        for (slot, sequence) in sequences.enumerated() {
            append(merging.steps(of: sequence, every: period), slot, timeline)
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
    /// - Returns: The steps of each slot.
    private static func slots(of lanes: [Timeline.Lane]) -> [[Timeline.Step]] {
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
        return slots
    }

    /// Whether steps that overlap in time need more motors than the belt drives at once. A step without a position needs
    /// all of them.
    private static func needsTooManyMotors(
        _ slots: [[Timeline.Step]], _ firmware: BeltFirmwareInformation?
    ) -> Bool {
        guard slots.count > 1 else { return false }
        let limit = BeltPlace(.whole, firmware).mask(heading: 0).nonzeroBitCount
        var active: [Timeline.Step] = []
        return slots.joined().sorted { $0.start < $1.start }.contains { step in
            active.removeAll { $0.end <= step.start }
            active.append(step)
            let motors = active.reduce(into: 0 as UInt16) {
                $0 |= BeltPlace($1.place, firmware).mask(heading: 0)
            }
            return motors.nonzeroBitCount > limit
        }
    }

    /// Merges steps that follow each other too quickly, with the mean of their intensities.
    private struct Merging {
        let shortest: Duration
        var isCoarse = false
        /// Whether steps at different places were merged.
        var joinsPlaces = false

        /// - Parameter period: If the steps are repeated, the time after which they start again.
        mutating func steps(of steps: [Timeline.Step], every period: Duration?) -> [Timeline.Step] {
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
            if let period, let first = merged.first, let last = merged.last,
                period + first.start < last.start + shortest
            {
                isCoarse = true
            }
            for place in Set(merged.map(\.place))
            where Timeline.runsTogether(merged.filter { $0.place == place }, every: period) {
                isCoarse = true
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
