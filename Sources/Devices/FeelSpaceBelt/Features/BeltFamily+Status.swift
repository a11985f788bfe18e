import DeviceKit
import JSON

extension BeltFamily {
    static let statusFeatures = [battery, mode, button, home, orientation]

    private static let battery = Feature(
        "battery", "Charge, power source and time left.",
        report: Report(
            .state,
            [
                Field("level", .number(0...100), unit: "%", "The charge."),
                Field("power", .choice(PowerStatus.names), "Where the power comes from."),
                Field(
                    "remaining_s", .integer(0...368_634), unit: "s",
                    "The time to empty or, while charging, to full."),
                Field(
                    "current_ma", .integer(-32_768...32_767), unit: "mA", nullable: true,
                    "The current; which sign means charging is not known."),
                Field("voltage_mv", .integer(0...65_535), unit: "mV", nullable: true, "The voltage."),
            ],
            example: [
                "level": 75.5, "power": "battery", "remaining_s": 25_920, "current_ma": -200,
                "voltage_mv": 3800,
            ]),
        shown: [
            .reading("Battery", of: "level", meaning: .battery, purpose: .diagnosis),
            .reading("Power source", of: "power", purpose: .diagnosis, icon: "power-plug-battery"),
            .reading("Battery time left", of: "remaining_s", purpose: .diagnosis),
            .reading("Battery current", of: "current_ma", purpose: .diagnosis, hidden: true),
            .reading("Battery voltage", of: "voltage_mv", purpose: .diagnosis, hidden: true),
        ])

    private static let mode = Feature(
        "mode", "The belt's mode of operation.",
        report: Report(.state, .choice(Mode.names), example: "app"),
        command: Command(
            [
                Field("mode", .choice(Mode.names), required: true, "The mode to enter."),
                Field(
                    "confirm", .boolean, default: false,
                    "Must be true for calibration, which takes the belt away from its wearer, and standby, "
                        + "which switches it off."),
            ],
            shorthands: [.field("mode")], example: "app"),
        shown: [
            .reading("Current mode", icon: "state-machine"),
            .control("Mode", of: Control("mode", choices: unconfirmedModes), icon: "state-machine"),
        ])

    /// The modes that need no confirmation.
    private static let unconfirmedModes = Mode.names.filter { $0 != "calibration" && $0 != "standby" }

    private static let button = Feature(
        "button", "A button of the belt was pressed.",
        report: Report(
            .event,
            [
                Field("button", .choice(["power", "pause", "compass", "home"]), "The button."),
                Field("press", .choice(["short", "long"]), "How it was pressed."),
                Field("previous_mode", .choice(Mode.names), "The mode before."),
                Field("mode", .choice(Mode.names), "The mode after."),
            ],
            example: ["button": "home", "press": "short", "previous_mode": "wait", "mode": "wait"]),
        shown: [.happening("Button", by: ["button", "press"], verb: "pressed", meaning: .button)])

    private static let home = Feature(
        "home", "The home request: home was pressed and is left to the application.",
        report: Report(
            .event, [Field("navigating", .boolean, "Whether navigation shows a direction now.")],
            example: ["navigating": true]),
        shown: [.happening("Home request", verb: "requested", icon: "home-import-outline")])

    private static let status = FieldType.integer(0...3)

    private static let orientation = Feature(
        "orientation", "Where the belt points, from its own sensors.",
        report: Report(
            .stream,
            [
                Field("heading", .angle, unit: "degrees", "From magnetic north to the belt's front."),
                Field("box_heading", .angle, unit: "degrees", "From magnetic north to the control box."),
                Field("roll", .integer(-32_768...32_767), unit: "degrees", "The control box's roll."),
                Field("pitch", .integer(-32_768...32_767), unit: "degrees", "The control box's pitch."),
                Field("accuracy", .integer(-32_768...32_767), unit: "degrees", "How far off it may be."),
                Field("accurate", .boolean, "Whether the belt trusts it."),
                Field(
                    "sensors",
                    .object([
                        Field("magnetometer", status, nullable: true, "3 is best, null not known."),
                        Field("accelerometer", status, nullable: true, "3 is best, null not known."),
                        Field("gyroscope", status, nullable: true, "3 is best, null not known."),
                        Field("fusion", status, nullable: true, "3 is best, null not known."),
                    ]), "The state of each sensor and of their fusion."),
            ],
            example: [
                "heading": 90, "box_heading": 45, "roll": -2, "pitch": 10, "accuracy": 5, "accurate": true,
                "sensors": ["magnetometer": 3, "accelerometer": 3, "gyroscope": 3, "fusion": 3],
            ]),
        command: Command(
            [
                Field("enabled", .boolean, default: true, "Whether it is published."),
                Field(
                    "period_ms", .integer(orientationPeriods), unit: "ms", default: 500,
                    "How often the belt tells it; other values than 500 need firmware 52."),
                Field(
                    "min_change", .number(0...180), unit: "degrees", default: 0,
                    "By how much the heading must change to be published; 0 for always."),
            ],
            shorthands: [.field("enabled")],
            example: ["enabled": true, "period_ms": 500, "min_change": 0]),
        shown: [
            .reading("Heading", of: "heading", icon: "compass"),
            .reading("Compass accurate", of: "accurate", purpose: .diagnosis, icon: "compass-outline"),
            .reading("Compass error", of: "accuracy", purpose: .diagnosis, icon: "compass-outline"),
            .reading("Box heading", of: "box_heading", purpose: .diagnosis, icon: "compass"),
            .reading("Box roll", of: "roll", purpose: .diagnosis, icon: "axis-x-rotate-clockwise"),
            .reading("Box pitch", of: "pitch", purpose: .diagnosis, icon: "axis-y-rotate-clockwise"),
        ])
}
