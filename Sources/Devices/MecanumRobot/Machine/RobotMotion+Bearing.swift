import func Glibc.atan2

extension RobotMotion {
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
