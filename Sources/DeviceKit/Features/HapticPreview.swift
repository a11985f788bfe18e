/// How a device would play a pattern: what the wearer feels, and the writes to the device.
public struct HapticPreview: Hashable, Sendable {
    /// A period in which the motors run.
    public struct Stroke: Hashable, Sendable {
        /// The time from the start of the pattern.
        public var start: Duration
        /// The time for which the motors run.
        public var length: Duration
        /// The intensity, 0 to 1.
        public var intensity: Double

        /// Creates a stroke.
        public init(start: Duration, length: Duration, intensity: Double) {
            self.start = start
            self.length = length
            self.intensity = intensity
        }
    }

    /// One write to the device.
    public struct Line: Hashable, Sendable {
        /// The time from the start of the pattern.
        public var time: Duration
        /// The content of the write, in words.
        public var text: String

        /// Creates a line.
        public init(time: Duration, _ text: String) {
            self.time = time
            self.text = text
        }
    }

    /// The vibration that the wearer feels while the pattern is played once, ordered by start time. Strokes at several
    /// places of the body can overlap.
    public var strokes: [Stroke]
    /// The writes to the device while the pattern is played once, in order.
    public var lines: [Line]
    /// The parts of the pattern that the device cannot play.
    public var degraded: [String]

    /// Creates a preview.
    public init(strokes: [Stroke], lines: [Line], degraded: [String]) {
        self.strokes = strokes
        self.lines = lines
        self.degraded = degraded
    }
}

extension HapticPreview {
    /// Returns the strongest intensity, 0 to 1, at a time after the start of the pattern.
    public func intensity(at moment: Duration) -> Double {
        strokes.filter { $0.start <= moment && moment < $0.start + $0.length }.map(\.intensity).max() ?? 0
    }
}
