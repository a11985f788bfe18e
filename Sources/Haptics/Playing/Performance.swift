/// A pattern that is to be played, and how.
public struct Performance: Hashable, Sendable {
    /// What it is called while it plays.
    public var name: String
    /// The pattern.
    public var pattern: Pattern
    /// Multiplies every intensity, 0 to 1.
    public var scale = 1.0
    /// How often it is played, 1 to 100.
    public var passes = 1
    /// How long to wait before it begins.
    public var delay = Duration.zero
    /// Whether the pattern's file holds sound too, which is not played.
    public var hasSound = false

    /// Makes a performance of a pattern.
    public init(name: String, _ pattern: Pattern) {
        self.name = name
        self.pattern = pattern
    }

    /// The pattern from moment to moment.
    public var timeline: Timeline { Timeline(pattern, scale: scale, passes: passes) }
}
