package import BridgeConfiguration
package import Reference

/// Determines which roles a user of the console has.
package struct ConsoleRoles: Sendable {
    /// How a request reached the console over the network.
    package struct Way: Hashable, Sendable {
        /// Whether no other computer can read or change the messages between the browser and the console: the
        /// connection stays on this host or is encrypted.
        package var isPrivate: Bool

        package init(isPrivate: Bool) { self.isPrivate = isPrivate }
    }

    private let settings: ConsoleSettings

    package init(_ settings: ConsoleSettings) { self.settings = settings }

    /// Returns the roles of a user; `user` is nil for a user without a name.
    ///
    /// The roles `driver` and `typist` are given only to users with a name.
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
