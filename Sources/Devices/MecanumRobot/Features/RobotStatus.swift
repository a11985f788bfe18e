import DeviceKit

/// The published status of the robot.
struct RobotStatus: Hashable, Sendable {
    /// The state of the connection, in the words of the makers' app.
    enum Connection: String, Named {
        case disconnected, searching, connecting, connected, error
    }

    var connection = Connection.disconnected
    var hasPower = false
    var isEmergencyStopSet = false
    var isWeaponOn = false
    var hasFieldOrientation = true
    /// The offset of field orientation, in degrees.
    var fieldOffset = 0.0
    var isMoving = false
    /// The direction of the motion, in degrees.
    var direction = 0.0
    var speed = 0.0
    var turn = 0.0
    /// The remainder of the drive command's lease, in milliseconds.
    var lease = 0
    var stoppedBy: RobotStopReason?
    var blockedBy: MotionGate.Block?
    var isUnconfirmed = false
}
