import DeviceKit
import Haptics
import JSON

/// Converts the strengths of a haptic pattern to values for the field of a command.
struct Strengths: Hashable, Sendable {
    let haptic: HapticEntry
    /// Whether the command's field for the strength accepts whole numbers only.
    private let isWhole: Bool
    /// If the field for the strength is a list, the number of its elements, which all get the same value; nil for a
    /// single number.
    private let count: Int?
    /// The command's other fields, with their default values.
    private let others: JSON.Object

    init?(_ haptic: HapticEntry, _ command: CommandEntry?) {
        guard let command, let field = command.fields.first(where: { $0.name == haptic.field }) else {
            return nil
        }
        self.haptic = haptic
        if case .integer = field.strengthType { isWhole = true } else { isWhole = false }
        if case .list(_, let count) = field.type { self.count = count.upperBound } else { count = nil }
        others = JSON.Object(
            command.fields.compactMap { other in
                other.name == haptic.field ? nil : other.default.map { (other.name, $0) }
            })
    }

    /// Returns the value for a strength from 0 to 1. A strength above 0 never gives the value for silence.
    func value(of strength: Double) -> Decimal {
        guard strength > 0 else { return haptic.silent }
        let span = haptic.full.double - haptic.weakest.double
        let exact = haptic.weakest.double + span * min(strength, 1)
        let places = isWhole ? 0 : 3
        let value = (Decimal(exact) ?? haptic.silent).rounded(places)
        guard value == haptic.silent else { return value }
        return Decimal.sum(value, Decimal(span > 0 ? 1 : -1, exponent: -places)) ?? value
    }

    /// Returns the strength, 0 to 1, that corresponds to a value.
    func strength(of value: Decimal) -> Double {
        guard value != haptic.silent else { return 0 }
        return (value.double - haptic.weakest.double) / (haptic.full.double - haptic.weakest.double)
    }

    /// Returns the fields of a command that sets the value.
    func arguments(_ value: Decimal) -> JSON.Object {
        var object = others
        object[haptic.field] = count.map { .array(Array(repeating: value.json, count: $0)) } ?? value.json
        return object
    }
}

/// A haptic pattern as the device plays it: one write for each change of strength.
struct HapticRendering: Hashable, Sendable {
    /// The values that are written when the pattern is played once.
    private(set) var cues: [Schedule<Decimal>.Cue] = []
    /// The properties of the pattern that the device cannot reproduce.
    private(set) var degraded: Set<Loss>
    private let strengths: Strengths
    private let length: Duration

    init(_ timeline: Timeline, _ strengths: Strengths) {
        self.strengths = strengths
        length = timeline.length
        let shortest = strengths.haptic.shortest
        degraded = timeline.lost
        var isCoarse = false
        var groups: [[Timeline.Step]] = []
        for step in timeline.steps {
            if let first = groups.last?.first, step.start < first.start + shortest {
                groups[groups.count - 1].append(step)
            } else {
                groups.append([step])
            }
        }
        var isPale = false
        for (index, group) in groups.enumerated() {
            let end = group[group.count - 1].end
            let time = group.reduce(.zero) { $0 + $1.length }
            let mean = group.reduce(0.0) { $0 + $1.intensity * ($1.length / time) }
            isCoarse =
                isCoarse || group.contains { abs($0.intensity - mean) > Self.tolerance }
                || group.count > 1 && group.contains { $0.tap != nil }
                || zip(group, group.dropFirst()).contains { $0.end < $1.start }
            let value = strengths.value(of: mean)
            isPale = isPale || abs(strengths.strength(of: value) - mean) > Self.tolerance
            cues.append(.init(at: group[0].start, value))
            // The value for silence is written at the end of the vibration, but not earlier than the shortest interval
            // that the device accepts between two writes.
            let silence = min(max(end, group[0].start + shortest), max(end, timeline.period))
            let next = index + 1 < groups.count ? groups[index + 1][0].start : nil
            if next.map({ silence < $0 }) ?? true {
                cues.append(.init(at: silence, strengths.haptic.silent))
            } else if let next, end < next {
                isCoarse = true
            }
        }
        if isPale { degraded.insert(.intensity) }
        if isCoarse { degraded.insert(.timing) }
        if timeline.steps.contains(where: { $0.tap == nil }) { degraded.insert(.sharpness) }
        if timeline.hasPositions { degraded.insert(.position) }
    }

    /// The difference of strengths, from 0 to 1, above which the answer reports the pattern as degraded.
    private static let tolerance = 0.2

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
