import func Glibc.cos
import func Glibc.sin

/// The signed values of a robot's four wheels. The maximum is 127.
struct Wheels: Hashable, Sendable {
    var leftFront = 0
    var rightFront = 0
    var leftRear = 0
    var rightRear = 0

    /// The maximum shares of a wheel's value that come from driving and from turning.
    private static let drivingShare = 0.80
    private static let turningShare = 0.55
    /// The magnitude that corresponds to full speed.
    private static let fullMagnitude = 50.0
    /// The largest value that the firmware passes to a motor.
    static let limit = 127.0

    init() {}

    /// Mixes a movement and a rotation.
    ///
    /// - Parameters:
    ///   - movement: The movement's angle and magnitude.
    ///   - rotation: The rotation's angle and magnitude.
    ///   - facing: The robot's heading in degrees, if angles are absolute; 0 if they are relative to the robot.
    init(_ movement: VirtualRobot.Polar, _ rotation: VirtualRobot.Polar, facing: Double) {
        let power = movement.magnitude / Self.fullMagnitude * Self.drivingShare * Self.limit
        let degrees = (movement.angle - facing).rounded().truncatingRemainder(dividingBy: 360)
        let angle = degrees * .pi / 180 - .pi / 4
        let (sine, cosine) = (sin(angle), cos(angle))
        let most = max(abs(sine), abs(cosine))
        let share = rotation.magnitude / Self.fullMagnitude
        let turn = (sin(rotation.angle * .pi / 180) * share * Self.limit * Self.turningShare)
            .rounded(.towardZero)
        var values = [
            power * sine / most + turn, -(power * cosine / most - turn), power * cosine / most + turn,
            -(power * sine / most - turn),
        ].map { $0.rounded(.towardZero) }
        let sum = power + abs(turn)
        if sum > Self.limit { values = values.map { ($0 * (Self.limit / sum)).rounded(.towardZero) } }
        leftFront = Self.whole(values[0])
        rightFront = Self.whole(values[1])
        leftRear = Self.whole(values[2])
        rightRear = Self.whole(values[3])
    }

    /// Converts a value to an integer for reports. Values are limited, because clients can write numbers that no
    /// integer can hold.
    private static func whole(_ value: Double) -> Int { Int(max(-1_000_000, min(1_000_000, value))) }

    /// The speeds forward, to the right and clockwise, as shares of the maximum.
    var motion: (forward: Double, right: Double, turn: Double) {
        let turn = Double(leftFront + rightFront + leftRear + rightRear) / 4
        let sine = Double(leftFront - rightRear) / 2
        let cosine = Double(leftRear - rightFront) / 2
        let scale = 2 * Self.limit
        return ((cosine - sine) / scale, (cosine + sine) / scale, turn / Self.limit)
    }
}
