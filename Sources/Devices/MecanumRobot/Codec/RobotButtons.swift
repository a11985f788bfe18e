/// The three switches of the buttons characteristic: `011` is weapon off, field orientation on, power on.
struct RobotButtons: Hashable, Sendable {
    /// Whether the weapon runs.
    ///
    /// The firmware judges it against the power that it had before the value, so it must not be switched on by
    /// the value that brings the power.
    var weapon = false
    /// Whether directions are relative to the heading that the robot had at its start.
    var fieldOrientation = true
    /// Whether the motors have power; without it the robot is in its emergency stop.
    var power = false

    /// The value in ASCII.
    var bytes: [UInt8] {
        [weapon, fieldOrientation, power].map { UInt8(ascii: $0 ? "1" : "0") }
    }
}
