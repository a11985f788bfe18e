/// How a device would play a pattern: what its wearer feels, and what is written for it.
public struct HapticPreview: Hashable, Sendable {
    /// A stretch of time in which the motors run.
    public struct Stroke: Hashable, Sendable {
        /// When it begins, from the pattern's start.
        public var start: Duration
        /// How long it lasts.
        public var length: Duration
        /// How strong, 0 to 1.
        public var intensity: Double

        /// Makes a stroke.
        public init(start: Duration, length: Duration, intensity: Double) {
            self.start = start
            self.length = length
            self.intensity = intensity
        }
    }

    /// One thing that is written to the device.
    public struct Line: Hashable, Sendable {
        /// When, from the pattern's start.
        public var time: Duration
        /// What it says, in words.
        public var text: String

        /// Makes a line.
        public init(time: Duration, _ text: String) {
            self.time = time
            self.text = text
        }
    }

    /// What is felt in one pass, in order.
    public var strokes: [Stroke]
    /// What is written in one pass, in order.
    public var lines: [Line]
    /// What of the pattern the device does not show.
    public var degraded: [String]

    /// Makes a preview.
    public init(strokes: [Stroke], lines: [Line], degraded: [String]) {
        self.strokes = strokes
        self.lines = lines
        self.degraded = degraded
    }
}

extension HapticPreview {
    /// Returns what is felt at a moment of one pass: an intensity from 0 to 1.
    public func intensity(at moment: Duration) -> Double {
        strokes.last { $0.start <= moment && moment < $0.start + $0.length }?.intensity ?? 0
    }
}
