import DeviceKit
import JSON

extension TapFamily {
    static let deviceFeatures = [battery, vibrate, deviceName]

    private static let battery = Feature(
        "battery", "The charge.",
        report: Report(
            .state, [Field("level", .integer(0...100), unit: "%", "The charge.")], example: ["level": 87]),
        shown: [.reading("Battery", of: "level", meaning: .battery, purpose: .diagnosis)])

    private static let vibrate = Feature(
        "vibrate", "Vibrates in a rhythm.",
        command: Command(
            [
                Field(
                    "durations_ms",
                    .list(.integer(HapticSequence.durations), count: HapticSequence.counts), unit: "ms",
                    required: true, "On, pause, on, pause, … in steps of 10, rounded down.")
            ],
            shorthands: [.field("durations_ms")], example: [500, 100, 500]),
        shown: [.action("Vibrate", sends: [500], id: "once", icon: "vibrate")])

    private static let deviceName = Feature(
        "device_name", "The TAP's own name, which its owner may change.",
        report: Report(.state, .text(0...(.max)), example: "Tap_XR42"),
        command: Command(
            [
                Field(
                    "device_name", .text(1...248), required: true,
                    "The new name; the answer is an error if the TAP then calls itself something else.")
            ],
            shorthands: [.field("device_name")], example: "Tap_left"),
        shown: [.reading("Bluetooth name", purpose: .diagnosis, icon: "tag-outline", hidden: true)])
}
