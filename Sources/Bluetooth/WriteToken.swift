/// Identifies a write. The sender of the write chooses the token, and receives it again with the result of the write.
public struct WriteToken: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The number.
    public let number: UInt64
    /// Creates a token from its number.
    public init(_ number: UInt64) { self.number = number }
    /// Creates a token from a literal.
    public init(integerLiteral value: UInt64) { number = value }
}
