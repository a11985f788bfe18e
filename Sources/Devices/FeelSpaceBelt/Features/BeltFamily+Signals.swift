import DeviceKit
import JSON

extension BeltFamily {
    static let signalFeatures = [navigation, notify, signal, sound]

    private static let navigation = Feature(
        "navigation", "Leads the wearer in a direction, through pauses and lost links.",
        report: Report(
            .state,
            [
                Field("state", .choice(Navigation.State.names), "Whether a direction is shown."),
                Field("direction", .angle, unit: "degrees", nullable: true, "Where to."),
                Field(
                    "reference", .choice(Reference.names), "What the direction is counted from."),
                Field("signal", .choice(Signal.repeated.map(\.name)), "How the direction is shown."),
            ],
            example: [
                "state": "navigating", "direction": 90, "reference": "magnetic", "signal": "navigating",
            ]),
        command: Command(
            [
                Field("direction", .angle, unit: "degrees", "Where to."),
                Field(
                    "reference", .choice(Reference.names),
                    "What the direction is counted from; with a direction magnetic if left out."),
                Field(
                    "signal", .choice(Signal.repeated.map(\.name)),
                    "How the direction is shown; with a direction navigating if left out."),
                Field(
                    "state", .choice(Navigation.State.names),
                    "Starts or resumes, pauses, or stops. Left out, a stopped navigation starts and a paused "
                        + "one stays paused with the new direction, so that the wearer's pause holds."),
            ],
            shorthands: [
                .word("start", ["state": "navigating"]), .word("pause", ["state": "paused"]),
                .word("stop", ["state": "stopped"]), .field("direction"),
            ],
            rules: [.atLeastOne(["direction", "reference", "signal", "state"])], traits: [.latest, .kept],
            example: [
                "direction": 90, "reference": "magnetic", "signal": "navigating", "state": "navigating",
            ]),
        shown: [
            .control(
                "Navigation", of: Control("state", state: .init(field: "state")), icon: "navigation-variant"),
            .control(
                "Navigation direction", of: Control("direction", state: .init(field: "direction")),
                icon: "compass-rose"),
            .control(
                "Navigation signal", of: Control("signal", state: .init(field: "signal")), icon: "vibrate"),
            .control(
                "Navigation reference", of: Control("reference", state: .init(field: "reference")),
                icon: "compass-outline", hidden: true),
        ])

    static let notices = ["direction", "warning", "critical_warning", "destination_reached", "battery"]

    private static let notify = Feature(
        "notify", "Shows a notice once, beside whatever the belt does.",
        command: Command(
            [
                Field("kind", .choice(notices), required: true, "What is shown."),
                Field("direction", .angle, unit: "degrees", "Where, for kind direction."),
                Field(
                    "reference", .choice(Reference.names), default: "magnetic",
                    "What the direction is counted from."),
                Field(
                    "stop_navigation", .boolean, default: false,
                    "With destination_reached: stops navigation first."),
            ],
            shorthands: [.field("kind")],
            example: ["kind": "direction", "direction": 90, "reference": "magnetic"]),
        shown: [
            .action("Notify warning", sends: "warning", icon: "alert-outline"),
            .action("Notify critical warning", sends: "critical_warning", icon: "alert"),
            .action("Notify destination reached", sends: "destination_reached", icon: "flag-checkered"),
            .action("Notify battery", sends: "battery", icon: "battery-heart-variant"),
        ])

    private static let signal = Feature(
        "signal", "Plays one of the belt's own system signals.",
        command: Command(
            [Field("signal", .choice(SystemSignal.names), required: true, "The signal.")],
            shorthands: [.field("signal")], example: "warning"),
        shown: [
            .action("Signal warning", sends: "warning", icon: "alert-outline", hidden: true),
            .action(
                "Signal destination reached", sends: "destination_reached", icon: "flag-checkered",
                hidden: true),
            .action("Signal battery", sends: "battery", icon: "battery-heart-variant", hidden: true),
        ])

    private static let sound = Feature(
        "sound", "Plays a sound on the belt's buzzer; firmware 45 and newer.",
        command: Command(
            [
                Field("sound", .choice(Tone.named.map(\.name)), "A sound by its name."),
                Field(
                    "steps",
                    .list(
                        .object([
                            Field(
                                "hz", .number(0...7968.75), unit: "Hz", required: true,
                                "The frequency in steps of 31.25; 0 is silence."),
                            Field(
                                "ms", .integer(0...2550), unit: "ms", required: true,
                                "The duration in steps of 10."),
                        ]), count: 1...9), "Tones, one after another."),
            ],
            shorthands: [.field("sound")], rules: [.exactlyOne(["sound", "steps"])],
            example: ["steps": [["hz": 1500, "ms": 50], ["hz": 0, "ms": 100], ["hz": 1500, "ms": 50]]]),
        shown: Tone.named.map { sound in
            .action(
                "Sound \(sound.name.replacing("_", with: " "))", sends: .string(sound.name),
                icon: "volume-high", hidden: true)
        })
}
