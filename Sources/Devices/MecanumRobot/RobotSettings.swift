import DeviceKit

struct RobotSettings: Hashable, Sendable {
    /// The longest lease of a drive command or of the weapon, in milliseconds.
    var longestLease = 2000
    /// The longest accepted delay of messages from the broker, in milliseconds.
    var maxPathDelay = 750
    /// How long the power stays on without a drive command, in seconds.
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
                "The longest lease of a drive command without a newer command."),
            .field(
                "max_path_delay_ms", \.maxPathDelay, .integer(300...5000), unit: "ms",
                "The longest allowed delay of messages from the broker; beyond it, the robot is stopped and accepts "
                    + "no motion command."),
            .field(
                "power_timeout_s", \.powerTimeout, .integer(1...86_400), unit: "s",
                "The time without a drive command after which the motors' power is switched off."),
            .field(
                allowWeaponKey, \.allowsWeapon, .boolean,
                "Whether the weapon may be switched on at all."),
            .field(
                "power_on_connect", \.powersOnConnect, .boolean,
                "Whether the motors get power as soon as the robot is connected. power/set on is still needed after an "
                    + "emergency stop, if it is unknown whether one was set, or if another bridge had the robot."
            ),
        ])
}
