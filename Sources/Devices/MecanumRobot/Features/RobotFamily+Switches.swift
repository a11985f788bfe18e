import DeviceKit
import JSON

extension RobotFamily {
    static let switchFeatures = [power, weapon, fieldOrientation, fieldOffset]

    private static func toggle(
        _ name: String, _ summary: String, _ meaning: String, title: String, icon: String,
        also fields: [Field] = []
    ) -> Feature {
        Feature(
            name, summary,
            command: Command(
                [Field(name, .boolean, required: true, meaning)] + fields, shorthands: [.field(name)],
                traits: .hazardous, example: "on"),
            shown: [
                .control(
                    title, of: Control(name, state: .init(feature: "status", field: name)), icon: icon,
                    when: .motion)
            ])
    }

    private static let power = toggle(
        "power",
        "Gives the motors power, which also releases the emergency stop, or takes it away. Just after a "
            + "connection it takes up to 2.5 s. A release that the disk does not keep within 2 s is refused with "
            + "internal, and gives no power.",
        "Whether the motors have power.", title: "Motor power", icon: "power", also: [echo])

    private static let weapon = Feature(
        "weapon",
        "Runs the weapon for a time, or switches it off; on needs power, and allow_weapon in the configuration.",
        command: Command(
            [
                Field(
                    "weapon", .boolean, required: true, "Whether the weapon runs; off at every stop."),
                Field(
                    "duration_ms", .integer(1...longestLease), unit: "ms",
                    "How long it runs, at most the configuration's max_lease_ms. Left out: 500, and on while a "
                        + "drive command holds, at most max_lease_ms."),
                echo,
            ],
            shorthands: [.field("weapon")], traits: .hazardous,
            example: ["weapon": true, "duration_ms": 500]),
        shown: [
            .action(
                "Weapon for one second", sends: ["weapon": true, "duration_ms": 1000], id: "run",
                icon: "sword",
                when: .both(.motion, .setting("allow_weapon"))),
            // It would spring back as soon as the lease is over.
            .former("switch", id: "set_weapon"),
        ])

    private static let fieldOrientation = toggle(
        "field_orientation", "Says what directions are relative to; a moving robot stops at a change.",
        "On: the heading that the robot had at its start; off: where it faces now.",
        title: "Field orientation switch", icon: "axis-arrow")

    private static let fieldOffset = Feature(
        "field_offset",
        "Turns the meaning of directions while field orientation is on; a moving robot stops at a change.",
        command: Command(
            [
                Field(
                    "field_offset", .number(-180...180), unit: "degrees", required: true,
                    "What is added to directions, clockwise.")
            ],
            shorthands: [.word("reset", ["field_offset": 0]), .field("field_offset")],
            traits: .hazardous, example: 30),
        shown: [
            .control(
                "Field offset",
                of: Control("field_offset", state: .init(feature: "status", field: "field_offset")),
                purpose: .configuration, icon: "angle-acute", when: .motion)
        ])
}
