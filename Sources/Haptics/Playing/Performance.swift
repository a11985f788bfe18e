/// A pattern with the parameters of its playback.
public struct Performance: Hashable, Sendable {
    /// The name of the pattern that the device's report contains while the pattern plays.
    public var name: String
    /// The pattern that is played.
    public var pattern: Pattern
    /// A factor for every intensity, 0 to 1.
    public var scale = 1.0
    /// The number of times the pattern is played, 1 to 100.
    public var passes = 1
    /// The delay before the start.
    public var delay = Duration.zero
    /// Whether the pattern's file also contains sound, which is not played.
    public var hasSound = false
    /// Whether a pattern that already plays continues, mixed with this pattern. Otherwise this pattern replaces it.
    public var isMixed = false
    /// Sentences about parts of the pattern that were changed or ignored when the pattern was read.
    public var remarks: [String] = []

    /// Creates a performance of a pattern.
    public init(name: String, _ pattern: Pattern) {
        self.name = name
        self.pattern = pattern
    }

    /// The compiled pattern.
    public var timeline: Timeline { Timeline(pattern, scale: scale, passes: passes) }
}
