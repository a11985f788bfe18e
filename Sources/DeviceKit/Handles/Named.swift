/// A type, such as an enumeration, whose values appear as words in topics and payloads.
public protocol Named: CaseIterable, Hashable, Sendable {
    /// The name of the value in topics and payloads.
    var name: String { get }
}

extension Named {
    /// The names of all cases, in order.
    public static var names: [String] { allCases.map(\.name) }

    /// Creates a case from its name; nil for an unknown name.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}

extension Named where Self: RawRepresentable, RawValue == String {
    /// The raw value, which is the name by default.
    public var name: String { rawValue }
}
