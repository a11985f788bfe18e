package import Reference

/// What the holders of some roles may read and send: what `tactile-bridge acl` writes for them, decided here.
package struct Grants: Sendable {
    private let reads: FilterSet
    private let writes: FilterSet
    /// What may be sent without being able to set anything in motion: whatever an operator may send.
    private let harmless: FilterSet

    /// - Parameter list: The access list with the names that devices have now.
    package init(_ roles: [Role], _ list: AccessList) {
        func topics(_ role: Role, _ access: Set<AccessList.Access>) -> [String] {
            (list.entries(role) + list.stopEntries(role)).filter { access.contains($0.access) }.map(\.topic)
        }
        reads = FilterSet(roles.flatMap { topics($0, [.read, .readwrite]) })
        writes = FilterSet(roles.flatMap { topics($0, [.write, .readwrite]) })
        harmless = FilterSet(
            [Role.viewer, .operator, .recorder, .restorer, .admin].flatMap {
                topics($0, [.write, .readwrite])
            })
    }

    /// Whether messages of a topic may be given.
    package func mayRead(_ topic: String) -> Bool { reads.matches(topic) }

    /// Whether something may be sent on a topic.
    package func mayPublish(_ topic: String) -> Bool { writes.matches(topic) }

    /// Whether what is sent on a topic may set a robot in motion.
    package func isHazardous(_ topic: String) -> Bool { writes.matches(topic) && !harmless.matches(topic) }
}
