import DeviceKit
import Haptics

/// A haptic pattern as the device plays it: one write for each change of strength.
struct HapticRendering: Hashable, Sendable {
    /// Steps that become one write, because they follow each other too quickly.
    private struct Group {
        var steps: [Timeline.Step]

        var start: Duration { steps[0].start }
        var end: Duration { steps[steps.count - 1].end }
        var hasTap: Bool { steps.contains { $0.tap != nil } }
        var hasPause: Bool { zip(steps, steps.dropFirst()).contains { $0.end < $1.start } }
        /// The mean strength.
        var mean: Double {
            let time = steps.reduce(.zero) { $0 + $1.length }
            return steps.reduce(0) { $0 + $1.intensity * ($1.length / time) }
        }
    }

    /// The difference of strengths, from 0 to 1, above which the answer reports the pattern as degraded.
    private static let tolerance = 0.2
    /// The shortest difference of durations that a wearer can feel.
    private static let noticeable = Duration.milliseconds(Tap.shortest)

    /// The values that are written when the pattern is played once.
    private(set) var cues: [Schedule<Decimal>.Cue] = []
    /// The properties of the pattern that the device cannot reproduce.
    private(set) var degraded: Set<Loss>
    private let strengths: Strengths
    private let length: Duration

    init(_ timeline: Timeline, _ strengths: Strengths) {
        self.strengths = strengths
        length = timeline.length
        degraded = timeline.lostAtOnePlace
        if timeline.steps.contains(where: { $0.tap == nil }) { degraded.insert(.sharpness) }
        if timeline.hasPositions { degraded.insert(.position) }
        var groups: [Group] = []
        for step in timeline.steps {
            if let last = groups.last, step.start < last.start + strengths.haptic.shortest {
                groups[groups.count - 1].steps.append(step)
            } else {
                groups.append(Group(steps: [step]))
            }
        }
        let period = timeline.passes > 1 ? timeline.period : nil
        var shown: [Timeline.Step] = []
        for (index, group) in groups.enumerated() {
            let isLast = index + 1 == groups.count
            let next = isLast ? period.map { $0 + groups[0].start } : groups[index + 1].start
            let strength = append(group)
            let end = appendSilence(after: group, before: next, isLast: isLast)
            shown.append(
                Timeline.Step(
                    start: group.start, length: end - group.start, intensity: strength, sharpness: 0,
                    tap: group.hasTap ? .short : nil))
        }
        if Timeline.runsTogether(shown, every: period) { degraded.insert(.timing) }
    }

    /// Appends the write for a group.
    ///
    /// - Returns: The strength that the device shows.
    private mutating func append(_ group: Group) -> Double {
        let mean = group.mean
        let value = strengths.value(of: mean)
        let strength = strengths.strength(of: value)
        let isCoarse =
            group.steps.contains { abs($0.intensity - mean) > Self.tolerance }
            || group.steps.count > 1 && group.hasTap || group.hasPause
        if isCoarse { degraded.insert(.timing) }
        if abs(strength - mean) > Self.tolerance { degraded.insert(.intensity) }
        cues.append(.init(at: group.start, value))
        return strength
    }

    /// Appends the write that ends the vibration of a group.
    ///
    /// - Parameters:
    ///   - next: The start of the next group, possibly in the next pass; nil for none.
    ///   - isLast: Whether the group is the last group of a pass. Its vibration ends even if the next pass follows
    ///     without a pause, because the pass can be the last.
    /// - Returns: The time at which the vibration ends or changes.
    private mutating func appendSilence(after group: Group, before next: Duration?, isLast: Bool) -> Duration
    {
        let silence = next == group.end ? nil : silence(after: group, before: next)
        let end = silence ?? next ?? group.end
        let difference = end > group.end ? end - group.end : group.end - end
        let isLate = next.map { $0 + Self.noticeable < group.start + strengths.haptic.shortest } ?? false
        if difference >= Self.noticeable || silence == nil && difference > .zero || isLate {
            degraded.insert(.timing)
        }
        if silence != nil || isLast { cues.append(.init(at: end, strengths.haptic.silent)) }
        return end
    }

    /// Returns the time of the write that ends the vibration of a group: the end of the vibration, but neither too soon
    /// after the group's own write nor too soon before the next write. Returns nil if there is no such time.
    private func silence(after group: Group, before next: Duration?) -> Duration? {
        let earliest = group.start + strengths.haptic.shortest
        let end = max(group.end, earliest)
        guard let next, end > next - strengths.pause else { return end }
        let latest = next - strengths.pause
        return latest >= earliest ? latest : nil
    }

    /// Shows how the device plays a pattern: the strengths that a wearer feels, and the writes to the device.
    func preview(_ performance: Performance) -> HapticPreview {
        var strokes: [HapticPreview.Stroke] = []
        for (index, cue) in cues.enumerated() where cue.message != strengths.haptic.silent {
            let end = index + 1 < cues.count ? cues[index + 1].time : length
            strokes.append(
                .init(start: cue.time, length: end - cue.time, intensity: strengths.strength(of: cue.message))
            )
        }
        return HapticPreview(
            strokes: strokes,
            lines: cues.map { .init(time: $0.time, "\(strengths.haptic.field) \($0.message)") },
            degraded: performance.lost(besides: degraded))
    }
}
