import DeviceKit
import JSON

extension TapFamily {
    static let eventFeatures = [tapped.keptPrivate, moused, gesture, airMouse, hand, raw.keptPrivate]

    private static let tapped = Feature(
        "tapped", "Fingers tapped. Not retained, since taps can spell what a person types.",
        report: Report(
            .event,
            [
                Field(
                    "combination", .integer(1...31),
                    "The fingers as bits: thumb 1, index 2, middle 4, ring 8, pinky 16."),
                Field(
                    "fingers", .list(.choice(Finger.allCases.map(\.rawValue)), count: 1...5),
                    "The fingers, thumb first."),
                Field(
                    "repeat", .integer(1...3), nullable: true,
                    "How often in a row; null if the firmware does not say."),
                Field(
                    "shift", .choice(TapReport.Keyboard.Shift.allCases.map(\.rawValue)), nullable: true,
                    "The keyboard's shift; null if the firmware does not say."),
                Field(
                    "switch", .boolean, nullable: true,
                    "Whether the keyboard's second layer is on; null if the firmware does not say."),
            ],
            example: [
                "combination": 5, "fingers": ["thumb", "middle"], "repeat": 1, "shift": "off",
                "switch": false,
            ]),
        shown: [
            .happening(
                "Tap", by: ["fingers"], verb: "tapped", icon: "gesture-tap", when: .setting("publish_taps"))
        ])

    private static let moused = Feature(
        "moused", "The hand moved as a mouse.",
        report: Report(
            .stream,
            [
                Field("velocity_x", .integer(-32_768...32_767), "To the right; the unit is not known."),
                Field("velocity_y", .integer(-32_768...32_767), "Down; the unit is not known."),
                Field("is_mouse", .boolean, "Whether it lies on a surface as a mouse does."),
                Field("dt", .integer(0...4_294_967_295), "As the TAP sends it; the unit is not known."),
            ],
            example: ["velocity_x": 12, "velocity_y": -3, "is_mouse": true, "dt": 10]))

    private static let gesture = Feature(
        "gesture", "A gesture in the air; with the air mouse on, a finger that touches the thumb as well.",
        report: Report(
            .event,
            [
                Field("gesture", .choice(Gesture.allCases.map(\.rawValue)), "The gesture."),
                Field("code", .integer(0...255), "Its code as the TAP's SDKs know it."),
            ],
            example: ["gesture": "one_finger_up", "code": 2]),
        shown: [.happening("Gesture", by: ["gesture"], verb: "made", icon: "gesture")])

    private static let airMouse = Feature(
        "air_mouse", "Whether the TAP is in its air-gesture state, in which it reports no taps.",
        report: Report(.state, .boolean, example: true),
        shown: [.reading("Air mouse", icon: "mouse-variant")])

    private static let hand = Feature(
        "hand", "What a TapXR sees of the hand, after the majority of its last three words.",
        report: Report(.state, .choice(Hand.allCases.map(\.rawValue)), example: "thumb_index"),
        shown: [.reading("Hand", icon: "hand-back-left", hidden: true)])

    private static func vector(_ unit: String) -> FieldType {
        .object(
            ["x", "y", "z"].map { Field($0, .number(-2_500_000...2_500_000), unit: unit, "Along \($0).") })
    }

    private static let raw = Feature(
        "raw",
        "The sensors' values in raw mode: of the thumb unit, or of the fingers. With raw_batch_ms several in an "
            + "array.",
        report: Report(
            .stream,
            [
                Field("type", .choice(["imu", "fingers"]), "Which sensors."),
                Field(
                    "timestamp_ms", .integer(0...0x7FFF_FFFF), unit: "ms", "On the TAP's own clock."),
                Field("gyro", vector("mdps"), "The thumb unit's turn rate; with type imu."),
                Field("accelerometer", vector("mg"), "The thumb unit's acceleration; with type imu."),
            ]
                + Finger.allCases.map {
                    Field($0.rawValue, vector("mg"), "The finger's acceleration; with type fingers.")
                },
            example: [
                "type": "imu", "timestamp_ms": 123, "gyro": ["x": 1750, "y": -1750, "z": 3500],
                "accelerometer": ["x": -24.4, "y": 36.6, "z": -36.6],
            ],
            alternatives: [
                [
                    "type": "fingers", "timestamp_ms": 124, "thumb": ["x": 31.25, "y": 62.5, "z": 93.75],
                    "index": ["x": 125, "y": 156.25, "z": 187.5],
                    "middle": ["x": 218.75, "y": 250, "z": 281.25],
                    "ring": ["x": 312.5, "y": 343.75, "z": 375],
                    "pinky": ["x": 406.25, "y": 437.5, "z": 468.75],
                ]
            ]))
}
