/// The three switches of the buttons characteristic: `011` means weapon off, field orientation on, power on.
struct RobotButtons: Hashable, Sendable {
    /// Whether the weapon runs.
    ///
    /// The firmware checks the weapon against the power state before the write. The write that switches the power on
    /// must therefore not switch the weapon on.
    var weapon = false
    /// Whether directions are relative to the robot's heading at its start.
    var fieldOrientation = true
    /// Whether the motors have power. Without power, the robot is in its emergency stop.
    var power = false

    /// The value for the buttons characteristic: three ASCII digits.
    var bytes: [UInt8] {
        [weapon, fieldOrientation, power].map { UInt8(ascii: $0 ? "1" : "0") }
    }
}
