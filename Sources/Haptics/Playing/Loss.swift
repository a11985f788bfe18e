/// A property of a pattern that a device cannot play. The cases have the words and the order of `degraded` in an
/// answer.
public enum Loss: String, Hashable, Sendable, CaseIterable {
    /// The attack, decay and release of an event.
    case envelope
    /// The strength.
    case intensity
    /// The times: events that are separate in the pattern cannot be distinguished.
    case timing
    /// Whether an event is dull or crisp.
    case sharpness
    /// Where on the body an event is felt.
    case position
    /// The sound of the pattern's file.
    case sound
}

extension Set<Loss> {
    /// The words for the list `degraded` of an answer, in order.
    public var words: [String] { Loss.allCases.filter(contains).map(\.rawValue) }
}
