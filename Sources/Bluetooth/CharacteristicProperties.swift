/// The GATT properties of a characteristic that a client uses (Core Specification, Vol 3, Part G, 3.3.1.1).
public struct CharacteristicProperties: OptionSet, Hashable, Sendable {
    /// The bits in the numbering of the specification.
    public let rawValue: UInt8

    /// Creates a set from the specification's bits.
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

    private static let named: [(String, Self)] = [
        ("read", .read), ("write-without-response", .writeWithoutResponse), ("write", .write),
        ("notify", .notify), ("indicate", .indicate),
    ]

    /// BlueZ's names of the properties in the set, such as `read` and `write-without-response`.
    public var words: [String] { Self.named.filter { contains($0.1) }.map(\.0) }

    /// Creates a set from BlueZ's names; nil if a name is not one of the possible ``words``.
    public init?(words: some Sequence<String>) {
        self = []
        for word in words {
            guard let property = Self.named.first(where: { $0.0 == word }) else { return nil }
            insert(property.1)
        }
    }
}
