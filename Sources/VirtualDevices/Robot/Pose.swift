import func Glibc.cos
import func Glibc.sin

/// Where a robot stands and faces, as if its wheels never slipped.
struct Pose: Hashable, Sendable {
    /// In metres to the right of where it started, as it faced then.
    var x = 0.0
    /// In metres in front of where it started.
    var y = 0.0
    /// In degrees clockwise from how it faced at its start, as its own sensor tells it.
    var heading = 0.0

    /// Drives for a while; `topSpeed` in metres a second, `topTurn` in degrees a second.
    mutating func advance(_ wheels: Wheels, seconds: Double, topSpeed: Double, topTurn: Double) {
        let motion = wheels.motion
        // The middle of the arc: good enough for steps that are short.
        let turned = motion.turn * topTurn * seconds
        let angle = (heading + turned / 2) * .pi / 180
        x += (motion.forward * sin(angle) + motion.right * cos(angle)) * topSpeed * seconds
        y += (motion.forward * cos(angle) - motion.right * sin(angle)) * topSpeed * seconds
        heading = (heading + turned).truncatingRemainder(dividingBy: 360)
        if heading < 0 { heading += 360 }
    }

    /// Its parts as a report shows them: millimetres and whole degrees.
    var details: [String: String] {
        [
            "x_mm": String(Int((x * 1000).rounded())), "y_mm": String(Int((y * 1000).rounded())),
            "heading": String(Int(heading.rounded()) % 360),
        ]
    }
}
