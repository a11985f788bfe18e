import DeviceKit
import JSON

extension TapFamily {
    static let modeFeatures = [inputMode, xrState]

    private static let inputMode = Feature(
        "input_mode",
        "Who receives what the wearer does. The bridge keeps the mode up, and gives text mode back when it ends.",
        report: Report(.state, .choice(InputMode.allCases.map(\.rawValue)), example: "controller"),
        command: Command(
            [
                Field(
                    "mode", .choice(InputMode.allCases.map(\.rawValue)), required: true,
                    "controller: events only; text: the host's keyboard only; controller_mouse_hid and "
                        + "controller_full_hid: events beside the host's pointer, or keyboard and pointer; raw: "
                        + "the sensors' values. It holds over lost links."),
                Field(
                    "sensitivity",
                    .object([
                        Field(
                            "fingers", .integer(Sensitivity.fingerCodes), default: 0,
                            "Finger accelerometers: 1 to 4 for 2, 4, 8 and 16 g."),
                        Field(
                            "gyro", .integer(Sensitivity.gyroCodes), default: 0,
                            "Gyroscope: 1 to 5 for 125, 250, 500, 1000 and 2000 degrees a second."),
                        Field(
                            "accelerometer", .integer(Sensitivity.accelerometerCodes), default: 0,
                            "Thumb unit's accelerometer: 1 to 4 for 2, 4, 8 and 16 g."),
                    ]), "The sensors' ranges, with raw only; 0 is the device's default."),
            ],
            shorthands: [.field("mode")], example: "controller"),
        shown: [
            .control("Input mode", of: Control("mode"), purpose: .configuration, icon: "keyboard-settings")
        ])

    private static let xrState = Feature(
        "xr_state", "What a TapXR takes the hand for; other TAPs do not have it.",
        report: Report(.state, .choice(XRState.allCases.map(\.rawValue)), example: "user_control"),
        command: Command(
            [
                Field(
                    "state", .choice(XRState.allCases.map(\.rawValue)), required: true,
                    "air_mouse or tapping only, or user_control: as the hand's posture says.")
            ],
            shorthands: [.field("state")], example: "user_control"),
        shown: [
            .control(
                "TapXR state", of: Control("state"), purpose: .configuration, icon: "hand-pointing-right",
                hidden: true)
        ])
}
