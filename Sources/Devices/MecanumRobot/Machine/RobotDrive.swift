import DeviceKit

/// The newest drive command: its motion, the offset that is added to its direction, and how long it is valid (its
/// lease).
struct RobotDrive: Hashable, Sendable {
    static let timer: TimerName = "lease"

    /// The commanded motion; nil while the robot is not driven.
    private(set) var motion: RobotMotion?
    /// The angle added to the direction while field orientation is on, in degrees.
    private(set) var offset = 0.0
    var lease = Lease()

    mutating func start(
        _ motion: RobotMotion, offset: Double, until end: Duration, at now: Duration, _ effects: inout Effects
    ) {
        (self.motion, self.offset) = (motion, offset)
        lease.renew(until: end)
        effects.startTimer(Self.timer, after: end - now)
    }

    /// Changes the offset of the current motion, which turns its direction. The lease does not change.
    ///
    /// - Returns: Whether anything changed.
    mutating func turn(to offset: Double) -> Bool {
        guard motion != nil, self.offset != offset else { return false }
        self.offset = offset
        return true
    }

    /// Ends the drive command. The deadline of the lease remains until a stop is written to the robot.
    mutating func stop(_ effects: inout Effects) {
        motion = nil
        lease.release()
        effects.cancelTimer(Self.timer)
    }

    /// The value to write to the movement characteristic.
    func movement(isFieldOriented: Bool) -> RobotVector {
        (motion ?? .none).movement(offset: isFieldOriented ? offset : 0)
    }

    /// The value to write to the rotation characteristic.
    var rotation: RobotVector { (motion ?? .none).rotation }
}
