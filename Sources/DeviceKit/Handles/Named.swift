/// Has a name in topics.
public protocol Named: CaseIterable, Hashable, Sendable {
    /// The name in topics.
    var name: String { get }
}

extension Named {
    /// The names of all cases, in their order.
    public static var names: [String] { allCases.map(\.name) }

    /// Finds a case by its name; nil for a name that is not one.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}

extension Named where Self: RawRepresentable, RawValue == String {
    /// The raw value.
    public var name: String { rawValue }
}
