import Bluetooth
import DeviceKit
import JSON

/// A minimal family of devices with every kind of setting.
struct LampFamily: DeviceFamily {
    var name = "lamp"
    var displayName = "Example lamp"
    var naming = Naming.each
    var plural = "lamps"
    var requirements = LinkRequirements(required: [])
    var settings: [Field] = [
        Field("glow_ms", .integer(10...500), unit: "ms", default: 100, "How long it glows."),
        Field("warm", .boolean, default: false, "Whether its light is warm."),
        Field("scene", .choice(["day", "night"]), default: "day", "How it begins."),
        Field("dim", .number(0...1), default: 0.5, nullable: true, "How bright; null for as it was."),
        Field("steps", .list(.integer(0...9), count: 1...3), "What it does in turn."),
        Field(
            "limits", .object([Field("low", .integer(0...9), required: true, "The least.")]),
            "Between which values."),
    ]
    var features: [Feature] = [
        Feature(
            "light", "Whether it shines.", report: Report(.state, .boolean, example: true),
            command: Command(
                [Field("light", .boolean, required: true, "Whether it is to shine.")],
                shorthands: [.field("light"), .word("toggle", ["light": true])], traits: .latest,
                example: "on")),
        Feature(
            "touched", "The lamp was touched.",
            report: Report(.event, [Field("place", .angle, "Where.")], example: ["place": 90])),
    ]

    func recognises(_ advertisement: Advertisement) -> Bool { false }
    func makeMachine(_ context: DeviceContext) -> any DeviceMachine { Machine() }

    private struct Machine: DeviceMachine {
        var will = Will.none
        mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {}
    }
}
