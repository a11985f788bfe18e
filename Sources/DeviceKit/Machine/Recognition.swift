public import Bluetooth

/// One way to recognize a device by its advertisement. All given conditions must be met.
public struct Recognition: Hashable, Sendable {
    /// A pattern for the whole name: `*` matches any text, `?` any character.
    public var name: String?
    /// Whether the comparison of names ignores case.
    public var ignoresCase: Bool
    /// An advertised service.
    public var service: UUID?
    /// The company identifier of the manufacturer data.
    public var company: UInt16?
    /// A service with advertised data.
    public var serviceData: UUID?
    /// The first bytes of the manufacturer or service data: two hexadecimal digits for each byte, `.` for any digit.
    public var data: String?
    /// The device's address.
    public var address: Address?

    /// Creates a way to recognize a device; a condition that is nil does not apply.
    public init(
        name: String? = nil, ignoresCase: Bool = false, service: UUID? = nil, company: UInt16? = nil,
        serviceData: UUID? = nil, data: String? = nil, address: Address? = nil
    ) {
        self.name = name
        self.ignoresCase = ignoresCase
        self.service = service
        self.company = company
        self.serviceData = serviceData
        self.data = data
        self.address = address
    }
}

/// Where a family is declared.
public enum FamilySource: String, Hashable, Sendable, CaseIterable {
    /// The family is part of the program.
    case builtIn = "built_in"
    /// The family is declared in a device file.
    case file
}
