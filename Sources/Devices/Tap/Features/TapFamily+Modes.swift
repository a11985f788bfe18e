import DeviceKit
import JSON

extension TapFamily {
    static let modeFeatures = [inputMode.feature, xrState.feature]

    /// The arguments of `input_mode`.
    struct ModeCommand: Hashable, Sendable {
        var mode = TapInputMode.controller
        var sensitivity: Codes?

        /// The codes for the ranges of the raw sensors.
        struct Codes: Hashable, Sendable {
            var fingers: UInt8 = 0
            var gyro: UInt8 = 0
            var accelerometer: UInt8 = 0
        }
    }

    static let inputMode = FeatureHandle<TapInputMode, ModeCommand>(
        "input_mode",
        "Who receives what the wearer does. The bridge keeps the mode up, and gives text mode back when it ends.",
        says: .state(.choice, example: TapInputMode.controller),
        takes: Taking(
            ModeCommand(),
            [
                .field(
                    "mode", \.mode, .choice, required: true,
                    "controller: events only; text: the host's keyboard only; controller_mouse_hid and "
                        + "controller_full_hid: events beside the host's pointer, or keyboard and pointer; raw: "
                        + "the sensors' values. It holds over lost links."),
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
                        ]), "The sensors' ranges, with raw only; 0 is the device's default."),
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
        "What a TapXR takes the hand for; other TAPs do not have it, nor a TapXR with the framed protocol.",
        says: .state(.choice, example: TapXRState.userControl),
        takes: .one(
            "state", TapXRState.userControl, .choice,
            "air_mouse or tapping only, or user_control: as the hand's posture says.",
            example: "user_control"),
        shown: { keys in
            [
                .control(
                    "TapXR state", of: Control(keys.taken(\.value)), purpose: .configuration,
                    icon: "hand-pointing-right", hidden: true)
            ]
        })
}
