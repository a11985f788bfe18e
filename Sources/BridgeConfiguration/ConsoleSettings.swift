/// What the configuration says of the console.
package struct ConsoleSettings: Hashable, Sendable {
    /// Who is let in.
    package enum Login: String, CaseIterable, Sendable {
        /// Whoever has the link that `tactile-bridge console --link` prints.
        case token
        /// Whom the broker knows, by the account's name and password.
        case broker
        /// Whom a proxy names in a header.
        case proxy
        /// Anyone who reaches the console's address, which is a loopback one.
        case none
    }

    /// What a user of the console can be.
    package static let roleNames = [
        "viewer", "operator", "driver", "typist", "recorder", "restorer", "log-reader", "admin",
    ]

    /// An address and a port, or the path of a Unix socket.
    package var listen = "127.0.0.1:9480"
    /// Names under which browsers reach the console, besides those of the loopback.
    package var allowedHosts: [String]
    package var login = Login.token
    /// The names of roles by the user's name, `*` for everyone; empty for the usual ones.
    package var roles: [String: [String]]
    /// Addresses whose headers are believed, `unix` for a Unix socket.
    package var trustedProxies: [String]
    /// Whether plain HTTP from another host may drive.
    package var isInsecure = false
    /// How old a drive's newest tick may be, in milliseconds.
    package var maxDriveDelay = 250

    /// Makes settings; what is not given is as an empty configuration has it.
    package init(
        allowedHosts: [String] = [], roles: [String: [String]] = [:], trustedProxies: [String] = []
    ) {
        self.allowedHosts = allowedHosts
        self.roles = roles
        self.trustedProxies = trustedProxies
    }
}
