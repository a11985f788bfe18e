/// What can be changed over the whole of a pattern while it plays.
public enum Control: String, Hashable, Sendable, CaseIterable {
    /// Multiplies the intensity; 0 to 1.
    case intensity = "HapticIntensityControl"
    /// Is added to the sharpness; -1 to 1.
    case sharpness = "HapticSharpnessControl"
    /// Is added to the attack of the envelope; -1 to 1.
    case attack = "HapticAttackTimeControl"
    /// Is added to the decay of the envelope; -1 to 1.
    case decay = "HapticDecayTimeControl"
    /// Is added to the release of the envelope; -1 to 1.
    case release = "HapticReleaseTimeControl"

    /// The values that it takes.
    public var range: ClosedRange<Double> { self == .intensity ? 0...1 : -1...1 }
    /// The value that changes nothing.
    public var neutral: Double { self == .intensity ? 1 : 0 }
}

/// A change of a control at a moment, at once or along a curve.
public struct Change: Hashable, Sendable {
    /// A value at a moment.
    public struct Point: Hashable, Sendable {
        /// Seconds; of a curve's point from the beginning of its curve.
        public var time: Double
        /// The value.
        public var value: Double

        /// Makes a point.
        public init(time: Double, value: Double) {
            self.time = time
            self.value = value
        }
    }

    /// How it changes.
    public enum Shape: Hashable, Sendable {
        /// At once, to this value, which holds until the next change.
        case step(Double)
        /// In straight lines from point to point, the last of which holds until the next change.
        case curve([Point])
    }

    /// What is changed.
    public var control: Control
    /// When, in seconds from the pattern's start.
    public var time: Double
    /// How.
    public var shape: Shape

    /// Makes a change.
    public init(_ control: Control, time: Double, _ shape: Shape) {
        self.control = control
        self.time = time
        self.shape = shape
    }

    /// How many points a curve has at most on the source platform.
    public static let maximumPoints = 16

    /// From when on it counts, in seconds from the pattern's start.
    var start: Double {
        switch shape {
        case .step: time
        case .curve(let points): time + (points.first?.time ?? 0)
        }
    }

    /// The value at a moment from ``start`` on.
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
