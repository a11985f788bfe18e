/// A compiled pattern: a sequence of steps with constant intensity, which do not overlap.
///
/// Of overlapping events, the strongest is felt. ``Tap`` defines the duration of a tap.
public struct Timeline: Hashable, Sendable {
    /// A period of constant intensity; never silent.
    public struct Step: Hashable, Sendable {
        /// The start, relative to the start of the pass.
        public var start: Duration
        /// The duration.
        public var length: Duration
        /// The strength, above 0 up to 1.
        public var intensity: Double
        /// The sharpness, from 0 (dull) to 1 (crisp).
        public var sharpness: Double
        /// The kind of tap, if the step is a tap.
        public var tap: Tap?

        /// Creates a step.
        public init(
            start: Duration, length: Duration, intensity: Double, sharpness: Double, tap: Tap? = nil
        ) {
            self.start = start
            self.length = length
            self.intensity = intensity
            self.sharpness = sharpness
            self.tap = tap
        }

        /// The end, relative to the start of the pass.
        public var end: Duration { start + length }
    }

    /// The steps of one pass, in order.
    public let steps: [Step]
    /// The duration of one pass, up to the end of its last step.
    public let length: Duration
    /// The time from the start of a pass to the start of the next pass.
    public let period: Duration
    /// The number of passes.
    public let passes: Int
    /// The parts of the pattern that the steps do not contain, in the words of an answer's `degraded`.
    public let lost: [String]

    /// The minimum time from the start of a tap to the next pass, so that repeated taps stay distinct.
    public static let tapSpacing = Duration.milliseconds(200)
    /// The resolution of curves.
    public static let grid = Duration.milliseconds(10)

    init(steps: [Step], length: Duration, period: Duration, passes: Int, lost: [String]) {
        self.steps = steps
        self.length = length
        self.period = period
        self.passes = passes
        self.lost = lost
    }

    /// The duration of all passes, up to the end of the last step.
    public var total: Duration { period * (passes - 1) + length }

    /// The intensity at a time relative to the start of the first pass.
    public func intensity(at moment: Duration) -> Double {
        guard !steps.isEmpty, moment >= .zero, total > moment else { return 0 }
        let pass = min(Int(moment / period), passes - 1)
        let position = moment - period * pass
        let step = steps.last { $0.start <= position }
        return step.map { position < $0.end ? $0.intensity : 0 } ?? 0
    }
}
