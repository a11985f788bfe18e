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
    /// The angle that is added to drive directions while field orientation is on, in degrees.
    var fieldOffset = 0.0
    var isMoving = false
    /// The direction of the motion, in degrees.
    var direction = 0.0
    var speed = 0.0
    var turn = 0.0
    /// How long the newest drive command is still valid (the remainder of its lease), in milliseconds.
    var lease = 0
    var stoppedBy: RobotStopReason?
    var blockedBy: MotionGate.Block?
    var isUnconfirmed = false
}
