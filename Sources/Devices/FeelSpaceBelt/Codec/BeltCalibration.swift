/// The calibration of a belt's sensors, as far as the belt reported it. Source: FSLib-Android's development
/// application.
struct BeltCalibration: Hashable, Sendable {
    struct Vector: Hashable, Sendable {
        var x: Double
        var y: Double
        var z: Double
    }

    /// The range of numbers that are published. A number outside this range is treated as if the belt had not reported
    /// it.
    static let range = -1e9...1e9

    var magnetometerOffsets: Vector?
    var magnetometerGains: Vector?
    var magnetometerError: Double?
    var gyroscopeOffsets: Vector?
    var gyroscopeStatus: UInt8?

    /// Returns the calibration parameters of a firmware version. In newer firmware, the parameter number `0F` has
    /// another meaning: the period of orientation notifications.
    static func parameters(_ version: UInt16) -> [BeltParameter] {
        var parameters: [BeltParameter] = [.magnetometerOffsets, .magnetometerGains]
        if version < BeltOrientationStream.firstWithPeriod { parameters.append(.orientationPeriod) }
        return parameters + [.gyroscopeOffsets, .gyroscopeStatus]
    }

    /// Stores a notified parameter of the calibration.
    mutating func note(_ parameter: BeltParameter, _ content: BeltParameterNotification.Content) {
        switch (parameter, content) {
        case (.magnetometerOffsets, .calibration(let x, let y, let z)):
            magnetometerOffsets = Self.vector(x, y, z)
        case (.magnetometerGains, .calibration(let x, let y, let z)): magnetometerGains = Self.vector(x, y, z)
        case (.gyroscopeOffsets, .calibration(let x, let y, let z)): gyroscopeOffsets = Self.vector(x, y, z)
        case (_, .magnetometerError(let value)): magnetometerError = Self.number(value)
        case (_, .gyroscopeStatus(let value)): gyroscopeStatus = value
        default: break
        }
    }

    private static func vector(_ x: Float, _ y: Float, _ z: Float) -> Vector? {
        guard let x = number(x), let y = number(y), let z = number(z) else { return nil }
        return Vector(x: x, y: y, z: z)
    }

    /// Returns the shortest decimal number with the same `Float` value; nil outside the range.
    private static func number(_ value: Float) -> Double? {
        Double(value.description).flatMap { range.contains($0) ? $0 : nil }
    }
}
