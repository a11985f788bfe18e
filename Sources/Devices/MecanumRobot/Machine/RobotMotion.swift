import func Glibc.atan2

/// The motion that a drive command requests.
struct RobotMotion: Hashable, Sendable {
    /// The direction in degrees, clockwise from forward, at least 0 and less than 360.
    var direction = 0.0
    /// The speed, from 0 to 1.
    var speed = 0.0
    /// The rotation, from -1 (counter-clockwise) to 1.
    var turn = 0.0

    static let none = RobotMotion()

    /// Whether the motion is large enough to move the robot.
    var isMotion: Bool { !movement(offset: 0).isZero || !rotation.isZero }

    /// Returns the value of the movement characteristic.
    func movement(offset: Double) -> RobotVector {
        RobotVector(direction: direction, speed: speed, offset: offset)
    }

    /// The value of the rotation characteristic. Unlike the makers' app, the bridge does not add the offset of the
    /// direction here, because this would distort the turn.
    var rotation: RobotVector { RobotVector(turn: turn) }
}

extension RobotMotion {
    /// Creates the motion of a drive command: from direction and speed, or from x and y.
    init(_ asked: RobotFamily.DriveCommand) {
        turn = asked.turn
        if asked.x != nil || asked.y != nil {
            let (x, y) = (asked.x ?? 0, asked.y ?? 0)
            speed = min((x * x + y * y).squareRoot(), 1)
            if speed > 0 { direction = Self.bearing(x: x, y: y) }
        } else {
            direction = asked.direction ?? 0
            speed = asked.speed ?? 0
        }
    }

    /// Returns the direction of a vector, in degrees clockwise from forward.
    ///
    /// - Parameters:
    ///   - x: To the right.
    ///   - y: Forward.
    static func bearing(x: Double, y: Double) -> Double {
        let degrees = atan2(x, y) * 180 / .pi
        return degrees < 0 ? max(0, min(degrees + 360, 360.0.nextDown)) : degrees
    }
}
