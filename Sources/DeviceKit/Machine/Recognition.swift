public import Bluetooth

/// One way in which a family recognizes a device by what it advertises; all that is given must fit.
public struct Recognition: Hashable, Sendable {
    /// A pattern for the whole name: `*` is any text, `?` any character.
    public var name: String?
    /// Whether upper and lower case count as the same in the name.
    public var ignoresCase: Bool
    /// A service that is advertised.
    public var service: UUID?
    /// The company number of the maker's data.
    public var company: UInt16?
    /// How the maker's data begins: two hexadecimal digits for each byte, `..` for any byte.
    public var data: String?
    /// The device's address.
    public var address: Address?

    /// Makes a way to recognize a device; nil for what does not matter.
    public init(
        name: String? = nil, ignoresCase: Bool = false, service: UUID? = nil, company: UInt16? = nil,
        data: String? = nil, address: Address? = nil
    ) {
        self.name = name
        self.ignoresCase = ignoresCase
        self.service = service
        self.company = company
        self.data = data
        self.address = address
    }
}

/// Where a family comes from.
public enum FamilySource: String, Hashable, Sendable, CaseIterable {
    /// It is part of the program.
    case builtIn = "built_in"
    /// A device file declares it.
    case file
}
