import DeviceKit
import JSON

extension RobotFamily {
    static let switchFeatures = [
        power.feature, weapon.feature, fieldOrientation.feature, fieldOffset.feature,
    ]

    /// The arguments of a switch.
    struct SwitchCommand: Hashable, Sendable {
        var isOn = false
        /// How long the switch stays on, in milliseconds.
        var duration: Int?
        var echo: String?
    }

    private static func toggle(
        _ name: String, _ summary: String, _ meaning: String, title: String, icon: String,
        state: PartialKeyPath<RobotStatus>, also fields: [TakenField<SwitchCommand>] = []
    ) -> FeatureHandle<Never, SwitchCommand> {
        FeatureHandle(
            name, summary,
            takes: Taking(
                SwitchCommand(), [.field(name, \.isOn, .boolean, required: true, meaning)] + fields,
                shorthands: [.field(\.isOn)], traits: .hazardous, example: .bare("on")),
            shown: { keys in
                [
                    .control(
                        title,
                        of: Control(
                            keys.taken(\.isOn),
                            state: .init(feature: status.name, field: status.names.said(state))),
                        icon: icon, when: .motion)
                ]
            })
    }

    static let power = toggle(
        "power",
        "Switches the motors' power on, which also releases the emergency stop, or off. Just after a "
            + "connection it takes up to 2.5 s. A release that the disk does not store within 2 s is rejected with "
            + "internal, and the power stays off.",
        "Whether the motors have power.", title: "Motor power", icon: "power", state: \.hasPower,
        also: [echo(\.echo)])

    static let weapon = FeatureHandle<Never, SwitchCommand>(
        "weapon",
        "Runs the weapon for a time, or switches it off. On needs power, and allow_weapon in the configuration.",
        takes: Taking(
            SwitchCommand(),
            [
                .field(
                    "weapon", \.isOn, .boolean, required: true,
                    "Whether the weapon runs; off at every stop."),
                .field(
                    "duration_ms", \.duration, .integer(1...longestLease), unit: "ms",
                    "The run time, at most the configuration's max_lease_ms. If omitted: 500, extended while a "
                        + "drive command is valid, at most max_lease_ms."),
                echo(\.echo),
            ],
            shorthands: [.field(\.isOn)], traits: .hazardous,
            example: .object(SwitchCommand(isOn: true, duration: 500))),
        shown: { keys in
            [
                .action(
                    "Weapon for one second",
                    sends: .object([keys.taken(\.isOn): true, keys.taken(\.duration): 1000]), id: "run",
                    icon: "sword", when: .both(.motion, .setting(RobotSettings.allowWeaponKey)))
            ]
        })

    static let fieldOrientation = toggle(
        "field_orientation", "Selects the reference of directions; a moving robot stops at a change.",
        "On: the robot's heading at its start; off: its current heading.",
        title: "Field orientation switch", icon: "axis-arrow", state: \.hasFieldOrientation)

    static let fieldOffset = FeatureHandle<Never, OneArgument<Double>>(
        "field_offset",
        "Rotates the reference of directions while field orientation is on. A moving robot turns with it for the "
            + "remaining lease.",
        takes: .one(
            "field_offset", 0.0, .number(-180...180), unit: "degrees",
            "The angle that is added to directions, clockwise.", words: [("reset", 0)], traits: .hazardous,
            example: 30, rest: "reset"),
        shown: { keys in
            [
                .control(
                    "Field offset",
                    of: Control(
                        keys.taken(\OneArgument<Double>.value),
                        state: .init(
                            feature: status.name, field: status.names.said(\RobotStatus.fieldOffset))),
                    purpose: .configuration, icon: "angle-acute", when: .motion)
            ]
        })
}
