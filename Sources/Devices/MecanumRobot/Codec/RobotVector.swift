/// An angle and a magnitude, the format of the robot's movement and rotation: `359.99,50.00`.
///
/// The angle and the magnitude are stored in hundredths. A written value therefore never has an exponent, more than
/// two decimals, or more than 12 characters.
struct RobotVector: Hashable, Sendable {
    /// The angle in hundredths of a degree, 0 to 35,999.
    private(set) var angle: Int
    /// The magnitude in hundredths, 0 to 5000.
    private(set) var magnitude: Int

    /// The value that requests no motion.
    static let zero = RobotVector(angle: 0, magnitude: 0)
    /// The largest magnitude that the firmware supports.
    static let fullMagnitude = 50.0

    /// Creates a value. The angle can be any number of degrees and is reduced to 0 to 360; the magnitude is limited to
    /// 0 to ``fullMagnitude``.
    init(angle: Double, magnitude: Double) {
        let hundredths = Int((angle * 100).rounded()) % 36_000
        self.angle = hundredths < 0 ? hundredths + 36_000 : hundredths
        self.magnitude = Int((min(max(magnitude, 0), Self.fullMagnitude) * 100).rounded())
    }

    /// Creates a value of the movement characteristic.
    ///
    /// Below magnitude 1 the angle is 0, as in the makers' app.
    ///
    /// - Parameters:
    ///   - direction: In degrees; 0 is forward, 90 right.
    ///   - speed: From 0 to 1.
    ///   - offset: Added to the direction, in degrees.
    init(direction: Double, speed: Double, offset: Double) {
        self.init(angle: direction + offset, magnitude: speed * Self.fullMagnitude)
        if magnitude < 100 { angle = 0 }
    }

    /// Creates a value of the rotation characteristic. The robot turns by the sine of the angle times the magnitude,
    /// clockwise if the result is positive.
    ///
    /// - Parameter turn: From -1 (counter-clockwise) to 1.
    init(turn: Double) {
        self.init(angle: turn > 0 ? 90 : 270, magnitude: abs(turn) * Self.fullMagnitude)
        if magnitude == 0 { angle = 0 }
    }

    var isZero: Bool { magnitude == 0 }

    /// The value as the ASCII text that is written to the robot.
    var bytes: [UInt8] { Self.decimal(angle) + [UInt8(ascii: ",")] + Self.decimal(magnitude) }

    private static func decimal(_ hundredths: Int) -> [UInt8] {
        let rest = hundredths % 100
        return Array("\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)".utf8)
    }
}
