/// An angle and a magnitude as the robot's movement and rotation take them: `359.99,50.00`.
///
/// Both are held in hundredths, so that what is written never has an exponent, more than two decimals, or more
/// than 12 characters.
struct RobotVector: Hashable, Sendable {
    /// In hundredths of a degree, 0 up to but not including 36,000.
    private(set) var angle: Int
    /// In hundredths, 0 to 5000.
    private(set) var magnitude: Int

    /// Standing still.
    static let zero = RobotVector(angle: 0, magnitude: 0)
    /// Where the firmware's magnitudes end.
    static let fullMagnitude = 50.0

    /// Makes a value of degrees, which may lie outside the circle, and of a magnitude, which is limited.
    init(angle: Double, magnitude: Double) {
        let hundredths = Int((angle * 100).rounded()) % 36_000
        self.angle = hundredths < 0 ? hundredths + 36_000 : hundredths
        self.magnitude = Int((min(max(magnitude, 0), Self.fullMagnitude) * 100).rounded())
    }

    /// Makes the value of the movement characteristic.
    ///
    /// Below magnitude 1 the angle is 0, as the app has it.
    ///
    /// - Parameters:
    ///   - direction: In degrees; 0 is forward, 90 right.
    ///   - speed: From 0 to 1.
    ///   - offset: What is added to the direction, in degrees.
    init(direction: Double, speed: Double, offset: Double) {
        self.init(angle: direction + offset, magnitude: speed * Self.fullMagnitude)
        if magnitude < 100 { angle = 0 }
    }

    /// Makes the value of the rotation characteristic: the robot turns by the angle's sine times the magnitude,
    /// clockwise where that is positive.
    ///
    /// - Parameter turn: From -1, counter-clockwise, to 1.
    init(turn: Double) {
        self.init(angle: turn > 0 ? 90 : 270, magnitude: abs(turn) * Self.fullMagnitude)
        if magnitude == 0 { angle = 0 }
    }

    /// Whether it asks for any motion.
    var isZero: Bool { magnitude == 0 }

    /// The value in ASCII.
    var bytes: [UInt8] { Self.decimal(angle) + [UInt8(ascii: ",")] + Self.decimal(magnitude) }

    private static func decimal(_ hundredths: Int) -> [UInt8] {
        let rest = hundredths % 100
        return Array("\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)".utf8)
    }
}
