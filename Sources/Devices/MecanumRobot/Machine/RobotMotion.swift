import func Glibc.atan2

/// What a drive command asks for.
struct RobotMotion: Hashable, Sendable {
    /// In degrees, clockwise from forward, 0 up to but not including 360.
    var direction = 0.0
    /// From 0 to 1.
    var speed = 0.0
    /// From -1, counter-clockwise, to 1.
    var turn = 0.0

    /// Standing still.
    static let none = RobotMotion()

    /// Whether it moves the robot at all.
    var isMotion: Bool { !movement(offset: 0).isZero || !rotation.isZero }

    /// What the movement characteristic takes for it.
    func movement(offset: Double) -> RobotVector {
        RobotVector(direction: direction, speed: speed, offset: offset)
    }

    /// What the rotation characteristic takes for it. The app adds its offset here too, which falsifies the turn.
    var rotation: RobotVector { RobotVector(turn: turn) }
}

extension RobotMotion {
    /// Takes what a drive command asks for: a direction and a speed, or x and y.
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

    /// The direction of a vector, in degrees clockwise from forward.
    ///
    /// - Parameters:
    ///   - x: To the right.
    ///   - y: Forward.
    static func bearing(x: Double, y: Double) -> Double {
        let degrees = atan2(x, y) * 180 / .pi
        return degrees < 0 ? max(0, min(degrees + 360, 360.0.nextDown)) : degrees
    }
}
