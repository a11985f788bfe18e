import DeviceKit

/// Why the robot was stopped last. The raw value is the word in the published status.
enum RobotStopReason: String, Named {
    /// A command arrived on `robot/stop/set`.
    case stop
    /// A command arrived on `robot/emergency_stop/set`.
    case emergencyStop = "emergency_stop"
    /// A command arrived on `all/stop/set`.
    case allStop = "all_stop"
    /// The lease of the newest drive command is over.
    case lease
    /// The robot was not driven for the power timeout, and the power was switched off.
    case powerTimeout = "power_timeout"
    /// The command `off` arrived on `robot/power/set`.
    case powerOff = "power_off"
    /// Field orientation changed while the robot moved.
    case fieldOrientation = "field_orientation"
    /// Never used: a new offset turns the drive and stops nothing. The word exists for compatibility with readers of
    /// the status.
    case fieldOffset = "field_offset"
    /// The connection to the broker was lost.
    case brokerLost = "broker_lost"
    /// The link to the robot was lost. The firmware then switches the motor power off.
    case linkLost = "link_lost"
    /// A motion could not be written.
    case writeFailed = "write_failed"
    /// The bridge exits, or disconnects the robot.
    case shutdown
    /// The configuration was reloaded.
    case reload
    /// The bridge stalled.
    case late
    /// The host is about to suspend.
    case suspend
    /// Messages from the broker were delayed.
    case pathLost = "path_lost"

    init(_ cause: StopCause) {
        switch cause {
        case .allStop: self = .allStop
        case .brokerLost: self = .brokerLost
        case .shutdown: self = .shutdown
        case .reload: self = .reload
        case .late: self = .late
        case .suspend: self = .suspend
        case .pathLost, .pathGone: self = .pathLost
        }
    }

    /// Whether the motor power is switched off too: if the robot can no longer be driven, if the command requests it,
    /// or if all devices were stopped. Other reasons only end the motion. After ``pathLost``, the power is switched off
    /// later if messages stay delayed.
    var cutsPower: Bool {
        switch self {
        case .emergencyStop, .allStop, .powerTimeout, .powerOff, .brokerLost, .linkLost, .shutdown, .reload,
            .suspend:
            true
        case .stop, .lease, .fieldOrientation, .fieldOffset, .writeFailed, .late, .pathLost: false
        }
    }
}
