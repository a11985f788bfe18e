/// Names a write, so that its completion finds who asked; chosen freely by the sender.
public struct WriteToken: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The number.
    public let number: UInt64
    /// Makes a token of its number.
    public init(_ number: UInt64) { self.number = number }
    /// Lets a literal stand for a token.
    public init(integerLiteral value: UInt64) { number = value }
}
