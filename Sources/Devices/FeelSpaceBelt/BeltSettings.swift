import DeviceKit

struct BeltSettings: Hashable, Sendable {
    var orientation = BeltFamily.OrientationCommand()
    /// How long after a handover the next host continues navigation, in seconds; 0 for never.
    var intentTime = 10
    /// Whether commands can read and write raw bytes.
    var isExpert = false

    static let handle = SettingsHandle(
        BeltSettings(),
        [
            .field(
                "orientation", \.orientation.isEnabled, .boolean,
                "Whether the belt's orientation is published from the start."),
            .field(
                "orientation_period_ms", \.orientation.period, .integer(BeltFamily.orientationPeriods),
                unit: "ms",
                "How often the belt tells its orientation; other values than 500 need firmware 52."),
            .field(
                "orientation_min_change", \.orientation.minimumChange, .number(0...180), unit: "degrees",
                "By how much the heading must change for the orientation to be published again; 0 for always."
            ),
            .field(
                "intent_s", \.intentTime, .integer(0...600), unit: "s",
                "For how long after a belt was lost the next host goes on leading its wearer; 0 for never."),
            .field(
                BeltFamily.expertKey, \.isExpert, .boolean,
                "Whether the command gatt may read and write bytes of the belt's characteristics."),
        ])
}
