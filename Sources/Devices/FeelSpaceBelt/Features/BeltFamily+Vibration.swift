import DeviceKit
import JSON

extension BeltFamily {
    static let vibrationFeatures = [vibrate, pulse, stop]

    /// The channels that the libraries' code uses; some of their texts say 0 to 3.
    static let channels = 0...5

    /// The fields that say where, on every command that takes a place.
    static func placeFields(_ reference: Reference) -> [Field] {
        [
            Field("direction", .angle, unit: "degrees", "Where, clockwise; or give motor or motors."),
            Field(
                "reference", .choice(["magnetic", "belt"]), default: .string(reference.name),
                "What the direction is counted from: magnetic north, or the belt's front."),
            Field("motor", .integer(0...15), "One motor: 0 at the front, clockwise, 4 on the right."),
            Field("motors", .list(.integer(0...15), count: 1...6), "Up to six motors at once."),
        ]
    }

    static let onePlace = Command.Rule.atMostOne(["direction", "motor", "motors"])

    private static let intensity = Field(
        "intensity", .integer(0...100), unit: "%", default: .null, nullable: true,
        "How strong; null for the belt's default, 0 stops the channel.")
    private static let iterations = Field(
        "iterations", .integer(1...127), default: .null, nullable: true,
        "How often; null until stopped.")
    private static let mixing = [
        Field("exclusive", .boolean, default: false, "Suspends the other channels meanwhile."),
        Field("clear_others", .boolean, default: false, "Stops the other channels."),
        Field(
            "enter_app_mode", .boolean, default: false,
            "Puts the belt into app mode first where that is needed."),
    ]
    private static let channel = Field(
        "channel", .integer(channels), default: 1, "The channel; only 0 works outside app mode.")

    private static let vibrate = Feature(
        "vibrate",
        "Vibrates on one channel. Needs app mode, except on channel 0 with limited iterations and without "
            + "clear_others.",
        command: Command(
            [
                channel,
                Field(
                    "pattern", .choice(Pattern.named.map(\.name)), default: "continuous",
                    "How it vibrates; warning, circle_right, destination_reached and front_cross choose "
                        + "their motors themselves."),
                intensity,
            ] + placeFields(.belt) + [
                iterations,
                Field(
                    "period_ms", .integer(1...65_535), unit: "ms", default: 500,
                    "How long one iteration is."),
                Field(
                    "start_ms", .integer(0...65_535), unit: "ms", default: 0,
                    "Where in the pattern it begins."),
            ] + mixing,
            shorthands: [.field("direction")], rules: [onePlace],
            example: [
                "channel": 1, "pattern": "continuous", "intensity": 60, "direction": 90, "reference": "belt",
                "iterations": nil, "period_ms": 500, "start_ms": 0, "exclusive": false,
                "clear_others": false,
            ]))

    private static let pulse = Feature(
        "pulse",
        "Vibrates in series of pulses on one channel; firmware 45 and newer. Needs app mode as vibrate.",
        command: Command(
            [channel] + placeFields(.belt) + [
                intensity,
                Field(
                    "on_ms", .integer(1...65_535), unit: "ms", default: 150, "How long one pulse lasts."),
                Field("pulses", .integer(1...9), default: 1, "Pulses in one series."),
                iterations,
                Field(
                    "pulse_period_ms", .integer(1...65_535), unit: "ms", default: 500,
                    "From one pulse to the next."),
                Field(
                    "series_period_ms", .integer(1...65_535), unit: "ms", default: .null, nullable: true,
                    "From one series to the next; null for as long as its pulses take."),
                Field(
                    "timer", .choice(PulseTimer.names), default: "reset_if_changed",
                    "What happens to the channel's running timer."),
            ] + mixing,
            shorthands: [.field("direction")], rules: [onePlace],
            example: [
                "channel": 0, "direction": 90, "on_ms": 150, "pulses": 3, "iterations": 1,
                "pulse_period_ms": 500, "series_period_ms": 1500,
            ]))

    private static let stop = Feature(
        "stop",
        "Stops one channel, or all of them, in every mode; the belt's own compass and crossing go on. What cannot "
            + "be read stops all. The answer says \"confirmed\":false where the belt's protocol leaves open whether "
            + "it obeys: in the modes pause and calibration, and up to 10 s after a signal that the belt plays by "
            + "itself (signal, notify destination_reached or battery, intensity with feedback).",
        command: Command(
            [Field("channel", .integer(channels), "The channel; without it every channel.")],
            shorthands: [.word("all", [:]), .field("channel")], empty: [:], traits: .stop,
            example: ["channel": 2]),
        shown: [.action("Stop vibration", sends: "all", icon: "stop-circle-outline")])
}
