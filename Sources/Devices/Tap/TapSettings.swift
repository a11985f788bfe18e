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
                "How a newly connected TapXR interprets the hand, until a command changes it."),
            .field(
                TapFamily.publishesTapsKey, \.publishesTaps, .boolean,
                "Whether taps are published; they can reveal the typed text. Gestures are always published."),
            .field(
                "raw_batch_ms", \.batchMilliseconds, .integer(0...1000), unit: "ms",
                "The time for which raw values are collected into an array; 0 publishes each value separately."
            ),
        ])
}

extension TapFamily {
    /// The setting that enables taps in Home Assistant.
    static let publishesTapsKey = "publish_taps"
}
