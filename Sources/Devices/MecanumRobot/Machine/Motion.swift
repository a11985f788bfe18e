import DeviceKit

/// What a drive command asks for.
struct Motion: Hashable, Sendable {
    /// In degrees, clockwise from forward, 0 up to but not including 360.
    var direction = 0.0
    /// From 0 to 1.
    var speed = 0.0
    /// From -1, counter-clockwise, to 1.
    var turn = 0.0

    /// Standing still.
    static let none = Motion()

    /// Whether it moves the robot at all.
    var isMotion: Bool { !movement(offset: 0).isZero || !rotation.isZero }

    /// What the movement characteristic takes for it.
    func movement(offset: Double) -> Vector { Vector(direction: direction, speed: speed, offset: offset) }

    /// What the rotation characteristic takes for it. The app adds its offset here too, which falsifies the turn.
    var rotation: Vector { Vector(turn: turn) }
}

extension Motion {
    /// Reads the checked arguments of a drive command: a direction and a speed, or x and y.
    init(_ arguments: Arguments) throws(CommandError) {
        turn = arguments.number("turn") ?? 0
        if arguments.has("x") || arguments.has("y") {
            let (x, y) = (arguments.number("x") ?? 0, arguments.number("y") ?? 0)
            speed = min((x * x + y * y).squareRoot(), 1)
            if speed > 0 { direction = Self.bearing(x: x, y: y) }
        } else {
            if arguments.has("direction"), !arguments.has("speed") {
                throw CommandError(.missingField, "speed: missing beside direction; 0...1")
            }
            direction = arguments.number("direction") ?? 0
            speed = arguments.number("speed") ?? 0
        }
    }
}
