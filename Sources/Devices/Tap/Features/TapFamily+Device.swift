import DeviceKit
import JSON

extension TapFamily {
    static let deviceFeatures = [battery.feature, vibrate.feature, deviceName.feature]

    /// The published battery charge.
    struct Battery: Hashable, Sendable {
        var level: UInt8
    }

    static let battery = FeatureHandle<Battery, Never>(
        "battery", "The battery level.",
        says: .state(
            [
                .field(
                    "level", \.level, .integer(0...100), unit: "%", "The battery level in percent, 0 to 100.")
            ],
            example: Battery(level: 87)),
        shown: { keys in
            [.reading("Battery", of: keys.said(\.level), meaning: .battery, purpose: .diagnosis)]
        })

    static let vibrate = FeatureHandle<Never, OneArgument<[Int]>>(
        "vibrate", "Vibrates in a rhythm.",
        takes: .one(
            "durations_ms", [],
            .list(.integer(TapHapticSequence.durations), count: TapHapticSequence.counts) as ValueKind<[Int]>,
            unit: "ms", "The times on, off, on, off, … in steps of 10 ms, rounded down.",
            example: [500, 100, 500]),
        shown: { _ in [.action("Vibrate", sends: [500], id: "once", icon: "vibrate")] })

    static let deviceName = FeatureHandle<String, OneArgument<String>>(
        "device_name", "The TAP's own name, which you can change.",
        says: .state(.text(0...(.max)), example: "Tap_XR42"),
        takes: .one(
            "device_name", "", .text(.printable, 1...248),
            "The new name; the answer is an error if the TAP then reports a different name.",
            example: "Tap_left"),
        shown: { _ in
            [.reading("Bluetooth name", purpose: .diagnosis, icon: "tag-outline", hidden: true)]
        })
}
