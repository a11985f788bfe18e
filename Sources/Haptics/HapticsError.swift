/// Says what is wrong with a pattern or the wish to play one, and where.
public struct HapticsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds, in the words that commands are answered with.
    public enum Code: String, Hashable, Sendable {
        /// Something that is needed is not there.
        case missing = "missing_field"
        /// A value of the wrong kind, or not one of the allowed words.
        case invalid = "invalid_value"
        /// A number outside its limits.
        case outOfRange = "out_of_range"
    }

    /// The kind.
    public var code: Code
    /// The place, such as `Pattern[2].Event.Time`.
    public var path: String
    /// What is wrong and what is allowed, in words.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, _ path: String, _ reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    /// `Pattern[2].Event.Time: a number, got "now"`
    public var description: String { "\(path): \(reason)" }

    /// The same error seen from outside, where the place lies in something larger.
    func within(_ place: String) -> HapticsError { HapticsError(code, "\(place).\(path)", reason) }
}
