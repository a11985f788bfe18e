/// A password, which is never shown in a log, a description or a dump.
public struct Secret: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// The password.
    public let value: String

    /// Wraps a password.
    public init(_ value: String) {
        self.value = value
    }

    /// Wraps a literal password, for tests.
    public init(stringLiteral value: String) {
        self.value = value
    }

    /// A placeholder that hides the password.
    public var description: String { "(secret)" }

    /// A placeholder that hides the password.
    public var debugDescription: String { description }

    /// Hides the value from `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
