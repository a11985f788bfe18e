public import JSON

/// A haptic pattern: events in time, and what changes all of them meanwhile.
public struct Pattern: Hashable, Sendable {
    /// What is felt, in any order.
    public var events: [Event]
    /// Changes over the whole pattern, in the order of the file; of two at one moment the later one counts.
    public var changes: [Change]
    /// What its designer noted down; nothing of it is played.
    public var metadata: JSON.Object?

    /// Makes a pattern.
    public init(_ events: [Event], changes: [Change] = [], metadata: JSON.Object? = nil) {
        self.events = events
        self.changes = changes
        self.metadata = metadata
    }

    /// The seconds after which nothing may begin: a bound against files made to play for days.
    public static let maximumTime = 600.0
    /// How many events or changes a pattern holds at most.
    public static let maximumCount = 1000
}

extension Pattern {
    /// One short tap, dull and not strong.
    public static let normal = Pattern([Event(time: 0, .transient, intensity: 0.4, sharpness: 0.2)])

    /// One element of a repeated touch, by how often a second it comes: slow ones last, fast ones are taps.
    public static func multi(frequency: Double, amplitude: Double) -> Pattern {
        let event =
            frequency <= 2
            ? Event(time: 0, .continuous(duration: 0.2), intensity: amplitude * 0.7, sharpness: 0.3)
            : Event(time: 0, .transient, intensity: amplitude * 0.6, sharpness: 0.5)
        return Pattern([event])
    }

    /// Two seconds that rise to an intensity and fall again.
    public static func gradual(intensity: Double = 0.6) -> Pattern {
        let count = 20
        return Pattern(
            (0..<count).map { index in
                let position = 2 * Double(index) / Double(count) - 1
                return Event(
                    time: Double(index) / 10, .continuous(duration: 0.1),
                    intensity: intensity * (1 - position * position), sharpness: 0.5)
            })
    }

    /// A strong touch that falls off in five steps within a second.
    public static let heavy = Pattern(
        [1.0, 0.8, 0.6, 0.4, 0.2].enumerated().map { index, intensity in
            Event(
                time: Double(index) / 5, .continuous(duration: 0.2), intensity: intensity, sharpness: 0.3)
        })
}
