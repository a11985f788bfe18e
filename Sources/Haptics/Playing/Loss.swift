/// A property of a pattern that a device cannot play. The raw values and the order of the cases are those of the list
/// `degraded` in the answer to a command.
public enum Loss: String, Hashable, Sendable, CaseIterable {
    /// The attack, decay and release of an event.
    case envelope
    /// The strength of the vibration.
    case intensity
    /// The times of events: the wearer cannot distinguish events that are separate in the pattern, or a vibration lasts
    /// noticeably longer or shorter.
    case timing
    /// Whether an event is dull or crisp.
    case sharpness
    /// Where on the body an event is felt.
    case position
    /// The sound of the pattern's file.
    case sound
}

extension Set<Loss> {
    /// The words for the list `degraded` in the answer to a command, in the order of the cases.
    public var words: [String] { Loss.allCases.filter(contains).map(\.rawValue) }
}
