/// A password: usable, but never shown in a log, a description or a dump.
public struct Secret: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// The password itself.
    public let value: String

    /// Wraps a password.
    public init(_ value: String) {
        self.value = value
    }

    /// Wraps a password written in a test.
    public init(stringLiteral value: String) {
        self.value = value
    }

    /// Says that there is one, not what it is.
    public var description: String { "(secret)" }

    /// Says that there is one, not what it is.
    public var debugDescription: String { description }

    /// Hides the value from `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
