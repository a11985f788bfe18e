/// An error in a pattern or in a request to play a pattern, with its location.
public struct HapticsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors, with the codes of command answers.
    public enum Code: String, Hashable, Sendable {
        /// A required value is absent.
        case missing = "missing_field"
        /// A value has the wrong type or is not one of the allowed words.
        case invalid = "invalid_value"
        /// A number is out of range.
        case outOfRange = "out_of_range"
    }

    /// The kind of error.
    public var code: Code
    /// The location, such as `Pattern[2].Event.Time`.
    public var path: String
    /// The error and the allowed values, as text.
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, _ path: String, _ reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    /// `Pattern[2].Event.Time: a number, got "now"`
    public var description: String { "\(path): \(reason)" }

    /// Returns the same error with a longer location: `place` is the location of the value in a larger structure.
    func within(_ place: String) -> HapticsError { HapticsError(code, "\(place).\(path)", reason) }
}
