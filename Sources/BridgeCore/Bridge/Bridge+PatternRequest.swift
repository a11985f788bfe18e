import DeviceKit
import Haptics
import JSON

// A pattern as it was asked for, and as a family of devices shows it.
extension Bridge {
    static func pattern(_ families: [any DeviceFamily]) -> Feature {
        let fields = Feature.patternFields.filter { $0.name != "at" }
        return Feature(
            "pattern",
            "Answers with a pattern as it was asked for, and as the devices of a family show it; nothing is played.",
            command: Command(
                [
                    Field("family", .choice(families.map(\.name)), "The family that shows it."),
                    Field("device", .text(1...256), "A device of the family that shows it."),
                ] + fields, shorthands: [.field("pattern")],
                rules: [.exactlyOne(["pattern", "ahap", "events"]), .atMostOne(["family", "device"])],
                answers: [
                    Field("duration_s", .number(0...Double(Int.max)), unit: "s", "How long one pass lasts."),
                    Field(
                        "asked", .list(.object(strokes), count: 0...100_000),
                        "One pass as it was asked for: steps of one intensity."),
                    Field(
                        "shown", .any,
                        "For each family its steps, `strokes`, and what it does not show, `degraded`; null for one "
                            + "that cannot vibrate."),
                ], example: ["pattern": "gradual", "intensity": 0.6]))
    }

    private static let strokes = [
        Field("time", .number(0...Double(Int.max)), unit: "s", "When it begins."),
        Field("duration", .number(0...Double(Int.max)), unit: "s", "How long it lasts."),
        Field("intensity", .number(0...1), "How strong it is."),
        Field("sharpness", .number(0...1), "How crisp it is; a device that shows none leaves it out."),
    ]

    /// Renders a pattern.
    func pattern(_ arguments: Arguments) throws(CommandError) -> JSON.Object {
        var shown = families
        if let name = arguments.text("family") { shown = families.filter { $0.name == name } }
        if arguments.text("device") != nil { shown = [try device(of: arguments).family] }
        var asked = arguments.values
        (asked["family"], asked["device"]) = (nil, nil)
        let resolved: JSON.Object
        let order: Order
        do {
            resolved = try Order.arguments(asked, resolving: settings.patterns, delay: nil)
            order = try Order(resolved)
        } catch {
            throw CommandError(
                CommandError.Code(rawValue: error.code.rawValue) ?? .invalidValue, error.description)
        }
        guard case .play(let performance) = order else {
            throw CommandError(.invalidValue, "pattern: stop is no pattern but ends one")
        }
        let timeline = performance.timeline
        var renderings = JSON.Object()
        for family in shown {
            let preview = try family.preview(haptic: Arguments(resolved))
            renderings[family.name] = preview.map { .object(Self.describe($0)) } ?? .null
        }
        return [
            "duration_s": timeline.length.inSeconds,
            "asked": .array(
                timeline.steps.map { step in
                    [
                        "time": step.start.inSeconds, "duration": step.length.inSeconds,
                        "intensity": step.intensity.inThousandths, "sharpness": step.sharpness.inThousandths,
                    ]
                }),
            "shown": .object(renderings),
        ]
    }

    private static func describe(_ preview: HapticPreview) -> JSON.Object {
        [
            "strokes": .array(
                preview.strokes.map { stroke in
                    [
                        "time": stroke.start.inSeconds, "duration": stroke.length.inSeconds,
                        "intensity": stroke.intensity.inThousandths,
                    ]
                }),
            "degraded": .array(preview.degraded.map { .string($0) }),
        ]
    }
}

extension Duration {
    /// Seconds, to the millisecond.
    fileprivate var inSeconds: JSON.Value { .number(Double(milliseconds) / 1000) }
}

extension Double {
    fileprivate var inThousandths: JSON.Value { .number((self * 1000).rounded() / 1000) }
}
