public import JSON

/// A haptic pattern: events, and changes of controls that affect all events.
public struct Pattern: Hashable, Sendable {
    /// The events, in any order.
    public var events: [Event]
    /// The changes of controls for the whole pattern, in the order of the file. If several changes of a control are
    /// simultaneous, the last of them is used.
    public var changes: [Change]
    /// The designer's metadata, which does not affect playback.
    public var metadata: JSON.Object?
    /// The time in seconds from the start of a repetition to the next one, if the pattern is shorter.
    public var period = 0.0

    /// Creates a pattern.
    public init(_ events: [Event], changes: [Change] = [], metadata: JSON.Object? = nil) {
        self.events = events
        self.changes = changes
        self.metadata = metadata
    }

    /// Whether any event has its own position.
    public var hasPositions: Bool { events.contains { $0.position != nil } }

    /// The latest start of an event, in seconds. Without this limit, a damaged file could play for days.
    public static let maximumTime = 600.0
    /// The maximum number of events, and of changes.
    public static let maximumCount = 1000
}

extension Pattern {
    /// One short, dull and moderate tap.
    public static let normal = Pattern([Event(time: 0, .transient, intensity: 0.4, sharpness: 0.2)])

    /// A single touch for a series. The command's number of repetitions determines how often the touch is played, and
    /// `frequency`, in hertz, how fast the repetitions follow each other. It also determines the kind of touch: up to
    /// 2 Hz a vibration, above 2 Hz a tap.
    public static func multi(frequency: Double = 1, amplitude: Double = 1) -> Pattern {
        let event =
            frequency <= 2
            ? Event(time: 0, .continuous(duration: 0.2), intensity: amplitude * 0.7, sharpness: 0.3)
            : Event(time: 0, .transient, intensity: amplitude * 0.6, sharpness: 0.5)
        var pattern = Pattern([event])
        pattern.period = min(1 / frequency, maximumTime)
        return pattern
    }

    /// A vibration of two seconds that rises to an intensity and falls again.
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

    /// A strong touch that fades in five steps within a second.
    public static let heavy = Pattern(
        [1.0, 0.8, 0.6, 0.4, 0.2].enumerated().map { index, intensity in
            Event(
                time: Double(index) / 5, .continuous(duration: 0.2), intensity: intensity, sharpness: 0.3)
        })
}
