import DeviceKit
import JSON

extension BridgeFeatures {
    static func patternRequest(_ families: [any DeviceFamily]) -> Feature {
        let fields = Feature.patternFields.filter { $0.name != "at" }
        return Feature(
            .pattern,
            "Answers with a pattern as requested, and as the devices of a family play it; nothing is played.",
            command: Command(
                [
                    Field("family", .choice(families.map(\.name)), "The family that plays it."),
                    Field("device", .text(1...256), "A device of the family that plays it."),
                ] + fields, shorthands: [.field("pattern")],
                rules: [.exactlyOne(["pattern", "ahap", "events"]), .atMostOne(["family", "device"])],
                answers: [
                    Field("duration_s", .number(0...Double(Int.max)), unit: "s", "The duration of one pass."),
                    Field(
                        "asked", .list(.object(strokes), count: 0...100_000),
                        "One pass as requested, in steps of constant intensity."),
                    Field(
                        "shown", .any,
                        "For each family its steps, `strokes`, and what it cannot play, `degraded`; null for a family "
                            + "that cannot vibrate."),
                    Field(
                        "sampled_s", .number(0...Double(Int.max)), unit: "s",
                        "The step length of a curve that has too many steps for one message; each step is then an "
                            + "average. Missing if every curve is complete."),
                ], example: ["pattern": "gradual", "intensity": 0.6]))
    }

    private static let strokes = [
        Field("time", .number(0...Double(Int.max)), unit: "s", "When it starts."),
        Field("duration", .number(0...Double(Int.max)), unit: "s", "How long it lasts."),
        Field("intensity", .number(0...1), "How strong it is."),
        Field("sharpness", .number(0...1), "How crisp it is; missing for a device without sharpness."),
    ]
}
