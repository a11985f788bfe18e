import DeviceKit
import JSON

extension TapFamily {
    static let modeFeatures = [inputMode.feature, xrState.feature]

    /// The arguments of `input_mode`.
    struct ModeCommand: Hashable, Sendable {
        var mode = TapInputMode.controller
        var sensitivity: Codes?

        /// The ranges of the raw sensors, as codes.
        struct Codes: Hashable, Sendable {
            var fingers: UInt8 = 0
            var gyro: UInt8 = 0
            var accelerometer: UInt8 = 0
        }
    }

    static let inputMode = FeatureHandle<TapInputMode, ModeCommand>(
        "input_mode",
        "The receiver of the wearer's input. The bridge maintains the mode and restores text mode when it exits.",
        says: .state(.choice, example: TapInputMode.controller),
        takes: Taking(
            ModeCommand(),
            [
                .field(
                    "mode", \.mode, .choice, required: true,
                    "controller: events only; text: the host's keyboard only; controller_mouse_hid and "
                        + "controller_full_hid: events and the host's pointer, or keyboard and pointer; raw: "
                        + "the sensors' values. It remains across lost links."),
                .field(
                    "sensitivity", \.sensitivity,
                    .object(
                        ModeCommand.Codes(),
                        [
                            .field(
                                "fingers", \.fingers, .integer(TapSensitivity.fingerCodes),
                                "Finger accelerometers: 1 to 4 for 2, 4, 8 and 16 g."),
                            .field(
                                "gyro", \.gyro, .integer(TapSensitivity.gyroCodes),
                                "Gyroscope: 1 to 5 for 125, 250, 500, 1000 and 2000 degrees a second."),
                            .field(
                                "accelerometer", \.accelerometer, .integer(TapSensitivity.accelerometerCodes),
                                "Thumb unit's accelerometer: 1 to 4 for 2, 4, 8 and 16 g."),
                        ]), "The sensors' ranges, only with raw; 0 is the device's default."),
            ],
            shorthands: [.field(\.mode)],
            rules: [
                .unless(\.mode, is: [.string(TapInputMode.raw.name)], .excludes([\.sensitivity]))
            ], example: .bare("controller")),
        shown: { keys in
            [
                .control(
                    "Input mode", of: Control(keys.taken(\.mode)), purpose: .configuration,
                    icon: "keyboard-settings")
            ]
        })

    static let xrState = FeatureHandle<TapXRState, OneArgument<TapXRState>>(
        "xr_state",
        "How a TapXR interprets the hand. Other TAPs and a TapXR with the framed protocol do not have it.",
        says: .state(.choice, example: TapXRState.userControl),
        takes: .one(
            "state", TapXRState.userControl, .choice,
            "air_mouse or tapping only, or user_control: depends on the hand's posture.",
            example: "user_control"),
        shown: { keys in
            [
                .control(
                    "TapXR state", of: Control(keys.taken(\.value)), purpose: .configuration,
                    icon: "hand-pointing-right", hidden: true)
            ]
        })
}
