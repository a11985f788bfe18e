import DeviceKit

/// What stopped the robot last, in the words of its status.
enum RobotStopReason: String, Named {
    /// `robot/stop/set`
    case stop
    /// `robot/emergency_stop/set`
    case emergencyStop = "emergency_stop"
    /// `all/stop/set`
    case allStop = "all_stop"
    /// The newest drive command is over, and no newer one came.
    case lease
    /// Nothing was driven for so long that the power was switched off.
    case powerTimeout = "power_timeout"
    /// `robot/power/set` `off`
    case powerOff = "power_off"
    /// The meaning of directions changed while it moved.
    case fieldOrientation = "field_orientation"
    /// Kept for those who read the status: a new offset turns the drive, and stops nothing.
    case fieldOffset = "field_offset"
    /// The connection to the broker is lost.
    case brokerLost = "broker_lost"
    /// The link to the robot is lost; its firmware then cuts the motors' power.
    case linkLost = "link_lost"
    /// A motion could not be written.
    case writeFailed = "write_failed"
    /// The bridge ends, or lets the robot go.
    case shutdown
    /// The configuration is read anew.
    case reload
    /// The bridge was late.
    case late
    /// The host goes to sleep.
    case suspend
    /// The way from the broker to the bridge was late.
    case pathLost = "path_lost"

    /// Names what the bridge stopped for.
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

    /// Whether the motors' power is switched off too: where no driver is left, or it was asked for, or all
    /// devices were stopped. The others only end the motion; a way that stays lost takes the power later.
    var cutsPower: Bool {
        switch self {
        case .emergencyStop, .allStop, .powerTimeout, .powerOff, .brokerLost, .linkLost, .shutdown, .reload,
            .suspend:
            true
        case .stop, .lease, .fieldOrientation, .fieldOffset, .writeFailed, .late, .pathLost: false
        }
    }
}
