/// The properties of a characteristic that matter to a client (Core Specification, Vol 3, Part G, 3.3.1.1).
public struct CharacteristicProperties: OptionSet, Hashable, Sendable {
    /// The bits, as the specification numbers them.
    public let rawValue: UInt8

    /// Makes a set of the specification's bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The value can be read.
    public static let read = Self(rawValue: 0x02)
    /// The value can be written without a response.
    public static let writeWithoutResponse = Self(rawValue: 0x04)
    /// The value can be written, acknowledged by a response.
    public static let write = Self(rawValue: 0x08)
    /// The value can be notified.
    public static let notify = Self(rawValue: 0x10)
    /// The value can be indicated.
    public static let indicate = Self(rawValue: 0x20)
}
