/// A compiled pattern: a sequence of steps with constant intensity, which do not overlap.
///
/// Of overlapping events at the same place, only the strongest becomes a step. ``Tap`` defines the duration of a tap. A
/// pass is one playback of the pattern.
public struct Timeline: Hashable, Sendable {
    /// A period of constant intensity, above 0.
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
        /// Where the step is felt.
        public var place: Place

        /// Creates a step.
        public init(
            start: Duration, length: Duration, intensity: Double, sharpness: Double, tap: Tap? = nil,
            at place: Place = .whole
        ) {
            self.start = start
            self.length = length
            self.intensity = intensity
            self.sharpness = sharpness
            self.tap = tap
            self.place = place
        }

        /// The end, relative to the start of the pass.
        public var end: Duration { start + length }
    }

    /// The place on the body where a step is felt.
    public enum Place: Hashable, Sendable {
        /// The place at which the command plays the whole pattern.
        case whole
        /// The position that the pattern declares for an event.
        case position(Position)
        /// A place on a device, such as a motor, as a number whose meaning the device's family defines.
        case device(Int)
    }

    /// The steps at one place on the body, in order.
    public struct Lane: Hashable, Sendable {
        /// The place at which all steps of the lane are felt.
        public let place: Place
        /// The steps, which do not overlap.
        public internal(set) var steps: [Step]

        init(_ steps: [Step], at place: Place) {
            self.place = place
            self.steps = steps
            for index in steps.indices { self.steps[index].place = place }
        }
    }

    /// The steps of one pass, one lane for each place, in the order in which the places first occur in the pattern.
    public let lanes: [Lane]
    /// The steps of one pass in order, for a device that vibrates at one place only: at each time, the strongest step
    /// of all places.
    public let steps: [Step]
    /// The duration of one pass, up to the end of its last step.
    public let length: Duration
    /// The time from the start of a pass to the start of the next pass.
    public let period: Duration
    /// How often the pattern is played, at least once.
    public let passes: Int
    /// The properties of the pattern that the lanes do not contain.
    public let lost: Set<Loss>
    /// The properties of the pattern that ``steps`` do not contain.
    public let lostAtOnePlace: Set<Loss>

    /// The minimum time from the start of a tap to the next pass, so that repeated taps stay distinct.
    public static let tapSpacing = Duration.milliseconds(200)
    /// The interval at which a curve of a control is converted to steps of constant value.
    public static let grid = Duration.milliseconds(10)

    init(lanes: [Lane], length: Duration, period: Duration, passes: Int, lost: Set<Loss>) {
        (self.lanes, self.length, self.period, self.passes) = (lanes, length, period, passes)
        let next = passes > 1 ? period : nil
        let runsTogether = lanes.contains { Self.runsTogether($0.steps, every: next) }
        self.lost = runsTogether ? lost.union([.timing]) : lost
        var lostAtOnePlace = self.lost
        steps = Self.steps(of: lanes, &lostAtOnePlace)
        if Self.runsTogether(steps, every: next) { lostAtOnePlace.insert(.timing) }
        self.lostAtOnePlace = lostAtOnePlace
    }

    /// The duration of all passes, up to the end of the last step.
    public var total: Duration { period * (passes - 1) + length }

    /// Whether any event of the pattern has its own position.
    public var hasPositions: Bool {
        lanes.contains { if case .position = $0.place { true } else { false } }
    }

    /// Returns the same timeline with converted places. Lanes whose places become equal are joined.
    public func placed(_ place: (Place) -> Place) -> Timeline {
        var lost = lost
        let placed = Self.joined(lanes.map { Lane($0.steps, at: place($0.place)) }, &lost)
        return Timeline(lanes: placed, length: length, period: period, passes: passes, lost: lost)
    }

    /// Returns the intensity at a time relative to the start of the first pass.
    public func intensity(at moment: Duration) -> Double {
        guard !steps.isEmpty, moment >= .zero, total > moment else { return 0 }
        let pass = min(Int(moment / period), passes - 1)
        let position = moment - period * pass
        let step = steps.last { $0.start <= position }
        return step.map { position < $0.end ? $0.intensity : 0 } ?? 0
    }
}
