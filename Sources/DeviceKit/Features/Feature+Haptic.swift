public import JSON

extension Feature {
    /// The name of the feature that plays patterns on every device that can vibrate.
    public static let hapticName = "haptic"

    /// Declares the feature of a device that plays haptic patterns. This feature is the same in all families, except
    /// for the fields that select the place of the vibration.
    ///
    /// If a command names a pattern file, the session replaces the name by the contents of the file before the state
    /// machine receives the command.
    ///
    /// - Parameters:
    ///   - place: The fields for the place of the vibration, and the rules about them.
    ///   - example: An example of a payload.
    public static func haptic(
        place: (fields: [Field], rules: [Command.Rule]) = ([], []),
        example: JSON.Value = ["pattern": "gradual", "intensity": 0.6]
    ) -> Feature {
        Feature(
            hapticName,
            "Plays a pattern: normal, multi (frequency, amplitude), gradual (intensity), heavy, or a pattern from a "
                + "file. The word stop stops it. The setting haptics.mixing determines whether the current pattern "
                + "continues with a new one.",
            report: Report(
                .state,
                [
                    Field(
                        "playing", .text(0...64), nullable: true,
                        "The pattern that is playing; null for none.")
                ],
                example: ["playing": "gradual"]),
            command: Command(
                patternFields + place.fields,
                shorthands: [.field("pattern")],
                rules: [.exactlyOne(["pattern", "ahap", "events"])] + parameterRules + place.rules,
                answers: [
                    Field(
                        "degraded", .list(.text(0...Int.max), count: 1...100),
                        "The parts of the pattern that this device cannot play, in words; omitted if it plays all."
                    ),
                    Field(
                        "remarks", .list(.text(0...Int.max), count: 1...100),
                        "The parts of the pattern in the command that were changed or ignored, with their places; "
                            + "omitted if there are none."),
                ], example: example),
            shown: [
                .message("Tell the wearer", through: "pattern", icon: "vibrate"),
                .reading("Pattern playing", of: "playing", icon: "waveform"),
                .action("Stop pattern", sends: "stop", icon: "stop-circle-outline"),
            ])
    }

    /// The rules about the parameters of a pattern: only the patterns `multi` and `gradual` have parameters. The
    /// pattern `stop` ignores parameters.
    private static let parameterRules: [Command.Rule] = [
        .unless("pattern", is: ["multi", "stop"], .excludes(["frequency", "amplitude"])),
        .unless("pattern", is: ["gradual", "stop"], .excludes(["intensity"])),
    ]

    /// The fields that select a pattern, either by its name and parameters or by its complete contents, and the fields
    /// for the factor of the intensity, the number of repetitions and the start time.
    package static let patternFields = [
        Field("pattern", .text(1...64), "The pattern's name, or stop."),
        Field("intensity", .number(0...1), "The highest strength of gradual, 0 to 1; 0.6 if omitted."),
        Field(
            "frequency", .number(0...1000), unit: "Hz",
            "The repetition rate for multi: a vibration up to 2 Hz, a tap above; 1 if omitted."),
        Field("amplitude", .number(0...1), "The strength of multi, 0 to 1; 1 if omitted."),
        Field("ahap", .any, "A pattern in the format of an AHAP file."),
        Field(
            "events", .list(.any, count: 1...1000),
            "A pattern as a list of events: time (s), kind (transient or continuous), duration (s), intensity and "
                + "sharpness (0 to 1), position (degrees, or front, right, back, left)."),
        Field("scale", .number(0...1), default: 1, "The factor for every intensity, 0 to 1."),
        Field("repeat", .integer(1...100), default: 1, "How many times the pattern is played."),
        Field(
            "at", .time,
            "The start time, at most 10 s ahead, so that several devices start together; now if omitted."),
    ]
}
