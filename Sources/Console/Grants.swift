package import Reference

/// The topics that holders of some roles may read and write: the rights of `tactile-bridge acl`, enforced by the
/// console.
package struct Grants: Sendable {
    private let reads: FilterSet
    private let writes: FilterSet
    /// The topics that cannot cause motion: the topics on which the role `operator` may publish.
    private let harmless: FilterSet

    /// - Parameter list: The access list with the current names of devices.
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

    package func mayRead(_ topic: String) -> Bool { reads.matches(topic) }

    package func mayPublish(_ topic: String) -> Bool { writes.matches(topic) }

    /// Whether messages on a topic may cause motion of a robot.
    package func isHazardous(_ topic: String) -> Bool { writes.matches(topic) && !harmless.matches(topic) }
}
