import DeviceKit

struct TapSettings: Hashable, Sendable {
    var defaultMode = TapInputMode.controller
    var defaultXRState = TapXRState.userControl
    var publishesTaps = true
    var batchMilliseconds = 0

    static let handle = SettingsHandle(
        TapSettings(),
        [
            .field(
                "default_input_mode", \.defaultMode, .choice,
                "The input mode of a newly connected TAP, until a command sets another."),
            .field(
                "default_xr_state", \.defaultXRState, .choice,
                "What a newly connected TapXR takes the hand for, until a command says otherwise."),
            .field(
                TapFamily.publishesTapsKey, \.publishesTaps, .boolean,
                "Whether taps are published; they can spell what a person types. Gestures are in any case."),
            .field(
                "raw_batch_ms", \.batchMilliseconds, .integer(0...1000), unit: "ms",
                "For how long raw values are collected into an array; 0 publishes each by itself."),
        ])
}

extension TapFamily {
    /// The setting that enables taps in Home Assistant.
    static let publishesTapsKey = "publish_taps"
}
