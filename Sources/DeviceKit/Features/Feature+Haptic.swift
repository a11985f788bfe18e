public import JSON

extension Feature {
    /// The name of the feature that plays patterns on every device that can vibrate.
    public static let hapticName = "haptic"

    /// Declares that a device plays haptic patterns. Only the place of the vibration differs between families.
    ///
    /// The session replaces the name of a pattern file by its contents before the state machine receives the command.
    ///
    /// - Parameters:
    ///   - place: The fields for the place of the vibration, and the rules about them.
    ///   - example: A payload to try.
    public static func haptic(
        place: (fields: [Field], rules: [Command.Rule]) = ([], []),
        example: JSON.Value = ["pattern": "gradual", "intensity": 0.6]
    ) -> Feature {
        Feature(
            hapticName,
            "Plays a pattern: normal, multi (frequency, amplitude), gradual (intensity), heavy, or one of a file; the "
                + "word stop ends it. Whether a pattern that plays goes on with the new one is the setting "
                + "haptics.mixing.",
            report: Report(
                .state,
                [Field("playing", .text(0...64), nullable: true, "What is played; null for nothing.")],
                example: ["playing": "gradual"]),
            command: Command(
                patternFields + place.fields,
                shorthands: [.field("pattern")],
                rules: [.exactlyOne(["pattern", "ahap", "events"])] + parameterRules + place.rules,
                answers: [
                    Field(
                        "degraded", .list(.text(0...Int.max), count: 1...100),
                        "What of the pattern this device does not show, in words; left out if it shows all."),
                    Field(
                        "remarks", .list(.text(0...Int.max), count: 1...100),
                        "What of the pattern in the command was changed or left out, with its place; left out if "
                            + "nothing was."),
                ], example: example),
            shown: [
                .message("Tell the wearer", through: "pattern", icon: "vibrate"),
                .reading("Pattern playing", of: "playing", icon: "waveform"),
                .action("Stop pattern", sends: "stop", icon: "stop-circle-outline"),
            ])
    }

    /// Which patterns take parameters; `stop` takes none.
    private static let parameterRules: [Command.Rule] = [
        .unless("pattern", is: ["multi", "stop"], .excludes(["frequency", "amplitude"])),
        .unless("pattern", is: ["gradual", "stop"], .excludes(["intensity"])),
    ]

    /// The fields that select a pattern: by name and parameters, or as a whole; with intensity, repetition and time.
    package static let patternFields = [
        Field("pattern", .text(1...64), "The pattern's name, or stop."),
        Field("intensity", .number(0...1), "How strong gradual gets; 0.6 if left out."),
        Field(
            "frequency", .number(0...1000), unit: "Hz",
            "How often multi comes: up to 2 it lasts; 1 if left out."),
        Field("amplitude", .number(0...1), "How strong multi is; 1 if left out."),
        Field("ahap", .any, "A pattern as an AHAP file has it."),
        Field(
            "events", .list(.any, count: 1...1000),
            "A pattern as a list of events: time (s), kind (transient or continuous), duration (s), intensity and "
                + "sharpness (0 to 1), position (degrees, or front, right, back, left)."),
        Field("scale", .number(0...1), default: 1, "Multiplies every intensity."),
        Field("repeat", .integer(1...100), default: 1, "How often it is played."),
        Field(
            "at", .time,
            "When it begins, at most 10 s ahead, so that several devices begin together; now if left out."),
    ]
}
