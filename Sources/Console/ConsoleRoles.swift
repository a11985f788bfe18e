package import BridgeConfiguration
package import Reference

/// Which roles the users of the console have.
package struct ConsoleRoles: Sendable {
    /// How a request came to the console.
    package struct Way: Hashable, Sendable {
        /// Whether no computer between the browser and the console can read and change what is said: it stays on this
        /// host, or is encrypted.
        package var isPrivate: Bool

        package init(isPrivate: Bool) { self.isPrivate = isPrivate }
    }

    private let settings: ConsoleSettings

    package init(_ settings: ConsoleSettings) { self.settings = settings }

    /// The roles of a user; nil stands for whoever has no name.
    ///
    /// Driver and typist are never given without being named.
    package func roles(of user: String?, over way: Way) -> [Role] {
        var names = ["viewer", "operator"]
        if !settings.roles.isEmpty {
            names =
                (settings.roles["*"] ?? []) + (user.flatMap { $0 == "*" ? nil : settings.roles[$0] } ?? [])
        }
        return Role.allCases.filter { role in
            guard names.contains(role.rawValue), role != .bridge, role != .console else { return false }
            return role != .driver || way.isPrivate || settings.isInsecure
        }
    }
}
