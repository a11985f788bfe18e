import DeviceKit
import JSON

extension BridgeFeatures {
    static func patternRequest(_ families: [any DeviceFamily]) -> Feature {
        let fields = Feature.patternFields.filter { $0.name != "at" }
        return Feature(
            .pattern,
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
                    Field(
                        "sampled_s", .number(0...Double(Int.max)), unit: "s",
                        "How long each step is of a curve that has too many for one message: these steps show the "
                            + "average. Left out where every curve is whole."),
                ], example: ["pattern": "gradual", "intensity": 0.6]))
    }

    private static let strokes = [
        Field("time", .number(0...Double(Int.max)), unit: "s", "When it begins."),
        Field("duration", .number(0...Double(Int.max)), unit: "s", "How long it lasts."),
        Field("intensity", .number(0...1), "How strong it is."),
        Field("sharpness", .number(0...1), "How crisp it is; a device that shows none leaves it out."),
    ]
}
