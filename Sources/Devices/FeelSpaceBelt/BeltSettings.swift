import DeviceKit

struct BeltSettings: Hashable, Sendable {
    var orientation = BeltFamily.OrientationCommand()
    /// How long after the connection to a belt is lost the bridge on the next host can continue navigation, in seconds;
    /// 0 for never.
    var intentTime = 10
    /// Whether commands can read and write raw bytes of the belt's characteristics.
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
                "The interval between orientation reports; values other than 500 need firmware 52."),
            .field(
                "orientation_min_change", \.orientation.minimumChange, .number(0...180), unit: "degrees",
                "The change of the heading that causes the orientation to be published again; 0 for always."
            ),
            .field(
                "intent_s", \.intentTime, .integer(0...600), unit: "s",
                "The time after a belt was lost in which the next host continues navigation; 0 for never."),
            .field(
                BeltFamily.expertKey, \.isExpert, .boolean,
                "Whether the command gatt may read and write bytes of the belt's characteristics."),
        ])
}
