/// Has a code on the wire and a name in topics.
package protocol Named: CaseIterable, Hashable, Sendable {
    /// The name in topics.
    var name: String { get }
}

extension Named {
    /// The names of all cases, in their order.
    package static var names: [String] { allCases.map(\.name) }

    /// Finds a case by its name; nil for a name that is not one.
    package init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}
