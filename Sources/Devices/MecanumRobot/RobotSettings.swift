import DeviceKit

struct RobotSettings: Hashable, Sendable {
    /// In milliseconds.
    var longestLease = 2000
    /// In milliseconds.
    var maxPathDelay = 750
    /// In seconds.
    var powerTimeout = 300
    var allowsWeapon = false
    var powersOnConnect = false

    /// The setting that enables the weapon.
    static let allowWeaponKey = "allow_weapon"

    static let handle = SettingsHandle(
        RobotSettings(),
        [
            .field(
                "max_lease_ms", \.longestLease, .integer(100...RobotFamily.longestLease), unit: "ms",
                "How long a drive command may hold at most without a newer one."),
            .field(
                "max_path_delay_ms", \.maxPathDelay, .integer(300...5000), unit: "ms",
                "How late the way from the broker to the bridge may be; beyond it the robot is stopped and takes "
                    + "nothing that moves it."),
            .field(
                "power_timeout_s", \.powerTimeout, .integer(1...86_400), unit: "s",
                "After how long without a drive command the motors' power is switched off."),
            .field(
                allowWeaponKey, \.allowsWeapon, .boolean,
                "Whether the weapon may be switched on at all."),
            .field(
                "power_on_connect", \.powersOnConnect, .boolean,
                "Whether the motors get power as soon as the robot is connected; not after an emergency stop, nor where "
                    + "it is not known whether one was set, nor where another bridge had it before, until power/set on."
            ),
        ])
}
