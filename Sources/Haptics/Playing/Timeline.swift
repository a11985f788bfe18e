/// A pattern as it is felt from moment to moment: steps of one intensity each, which do not overlap.
///
/// Of events that overlap the strongest is felt. A tap lasts as ``Tap`` says.
public struct Timeline: Hashable, Sendable {
    /// A stretch of time in which the intensity stays the same; never silent.
    public struct Step: Hashable, Sendable {
        /// When it begins, from the start of the pass.
        public var start: Duration
        /// How long it lasts.
        public var length: Duration
        /// How strong, above 0 up to 1.
        public var intensity: Double
        /// From dull, 0, to crisp, 1.
        public var sharpness: Double
        /// The tap that it is, if it is one.
        public var tap: Tap?

        /// Makes a step.
        public init(
            start: Duration, length: Duration, intensity: Double, sharpness: Double, tap: Tap? = nil
        ) {
            self.start = start
            self.length = length
            self.intensity = intensity
            self.sharpness = sharpness
            self.tap = tap
        }

        /// When it ends.
        public var end: Duration { start + length }
    }

    /// The steps of one pass, in order.
    public let steps: [Step]
    /// How long one pass lasts, to its last step's end.
    public let length: Duration
    /// From the beginning of one pass to that of the next.
    public let period: Duration
    /// How often it is played.
    public let passes: Int
    /// What of the pattern the steps do not hold, in the words of an answer's `degraded`.
    public let lost: [String]

    /// How long a tap at a pattern's end keeps to itself before the next pass, so that a repeated tap stays one.
    public static let tapSpacing = Duration.milliseconds(200)
    /// How finely curves are followed.
    public static let grid = Duration.milliseconds(10)

    init(steps: [Step], length: Duration, period: Duration, passes: Int, lost: [String]) {
        self.steps = steps
        self.length = length
        self.period = period
        self.passes = passes
        self.lost = lost
    }

    /// How long all passes last, to the last step's end.
    public var total: Duration { period * (passes - 1) + length }

    /// What is to be felt at a moment from the start of the first pass.
    public func intensity(at moment: Duration) -> Double {
        guard !steps.isEmpty, moment >= .zero, total > moment else { return 0 }
        let pass = min(Int(moment / period), passes - 1)
        let position = moment - period * pass
        let step = steps.last { $0.start <= position }
        return step.map { position < $0.end ? $0.intensity : 0 } ?? 0
    }
}
