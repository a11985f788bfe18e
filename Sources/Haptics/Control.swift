/// A parameter, such as the intensity, that affects all events of a pattern and can change while the pattern plays.
public enum Control: String, Hashable, Sendable, CaseIterable {
    /// A factor for the intensity of all events, 0 to 1.
    case intensity = "HapticIntensityControl"
    /// An offset that is added to the sharpness of all events, -1 to 1.
    case sharpness = "HapticSharpnessControl"
    /// An offset for the attack of the envelope, -1 to 1.
    case attack = "HapticAttackTimeControl"
    /// An offset for the decay of the envelope, -1 to 1.
    case decay = "HapticDecayTimeControl"
    /// An offset for the release of the envelope, -1 to 1.
    case release = "HapticReleaseTimeControl"

    /// The range of values.
    public var range: ClosedRange<Double> { self == .intensity ? 0...1 : -1...1 }
    /// The value with which the control has no effect on the events.
    public var neutral: Double { self == .intensity ? 1 : 0 }
}

/// A change of a control at a point in time, either immediate or along a curve.
public struct Change: Hashable, Sendable {
    /// A value at a point in time.
    public struct Point: Hashable, Sendable {
        /// The time in seconds, relative to the start of the curve.
        public var time: Double
        /// The value.
        public var value: Double

        /// Creates a point.
        public init(time: Double, value: Double) {
            self.time = time
            self.value = value
        }
    }

    /// How the value of a control changes over time.
    public enum Shape: Hashable, Sendable {
        /// An immediate change to this value, which remains until the next change.
        case step(Double)
        /// Linear segments from point to point. The last value remains until the next change.
        case curve([Point])
    }

    /// The control that changes.
    public var control: Control
    /// The time, in seconds from the pattern's start.
    public var time: Double
    /// How the value changes over time.
    public var shape: Shape

    /// Creates a change.
    public init(_ control: Control, time: Double, _ shape: Shape) {
        self.control = control
        self.time = time
        self.shape = shape
    }

    /// The maximum number of points of a curve on the platform that defines AHAP (Core Haptics).
    public static let maximumPoints = 16

    /// Creates the changes for a sequence of any number of points. The sequence is divided into consecutive curves,
    /// each with at most ``maximumPoints`` points.
    static func curves(_ control: Control, time: Double, _ points: [Point]) -> [Change] {
        guard points.count > maximumPoints else { return [Change(control, time: time, .curve(points))] }
        return stride(from: 0, to: points.count - 1, by: maximumPoints - 1).map { first in
            let part = points[first..<min(first + maximumPoints, points.count)]
            return Change(control, time: time, .curve(Array(part)))
        }
    }

    /// The time at which the change takes effect, in seconds from the pattern's start.
    var start: Double {
        switch shape {
        case .step: time
        case .curve(let points): time + (points.first?.time ?? 0)
        }
    }

    /// Returns the value of the control at a time, in seconds from the pattern's start, that is not before ``start``.
    func value(at moment: Double) -> Double {
        switch shape {
        case .step(let value): return value
        case .curve(let points):
            let moment = moment - time
            guard let next = points.firstIndex(where: { $0.time > moment }) else {
                return points.last?.value ?? control.neutral
            }
            guard next > 0 else { return points[next].value }
            let (from, to) = (points[next - 1], points[next])
            return from.value + (to.value - from.value) * (moment - from.time) / (to.time - from.time)
        }
    }
}
