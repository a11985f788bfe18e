import func Glibc.cos
import func Glibc.sin

/// The position and the heading of a robot, assuming that its wheels never slip.
struct Pose: Hashable, Sendable {
    /// Meters to the right of the start, relative to the initial heading.
    var x = 0.0
    /// Meters in front of the start.
    var y = 0.0
    /// Degrees clockwise from the initial heading, as reported by the robot's sensor.
    var heading = 0.0

    /// Moves the robot for `seconds`. `topSpeed` is in meters per second, `topTurn` in degrees per second.
    mutating func advance(_ wheels: Wheels, seconds: Double, topSpeed: Double, topTurn: Double) {
        let motion = wheels.motion
        // The heading in the middle of the arc is accurate enough for short steps.
        let turned = motion.turn * topTurn * seconds
        let angle = (heading + turned / 2) * .pi / 180
        x += (motion.forward * sin(angle) + motion.right * cos(angle)) * topSpeed * seconds
        y += (motion.forward * cos(angle) - motion.right * sin(angle)) * topSpeed * seconds
        heading = (heading + turned).truncatingRemainder(dividingBy: 360)
        if heading < 0 { heading += 360 }
    }

    /// The values for a report: millimeters and whole degrees.
    var details: [String: String] {
        [
            "x_mm": String(Int((x * 1000).rounded())), "y_mm": String(Int((y * 1000).rounded())),
            "heading": String(Int(heading.rounded()) % 360),
        ]
    }
}
