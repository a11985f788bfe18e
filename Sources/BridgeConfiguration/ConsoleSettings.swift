import JSON

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
    package var listen: String
    /// Names under which browsers reach the console, besides those of the loopback.
    package var allowedHosts: [String]
    package var login: Login
    /// The names of roles by the user's name, `*` for everyone; empty for the usual ones.
    package var roles: [String: [String]]
    /// Addresses whose headers are believed, `unix` for a Unix socket.
    package var trustedProxies: [String]
    /// Whether plain HTTP from another host may drive.
    package var isInsecure: Bool
    /// How old a drive's newest tick may be, in milliseconds.
    package var maxDriveDelay: Int

    package init(
        listen: String = "127.0.0.1:9480", allowedHosts: [String] = [], login: Login = .token,
        roles: [String: [String]] = [:], trustedProxies: [String] = [], isInsecure: Bool = false,
        maxDriveDelay: Int = 250
    ) {
        self.listen = listen
        self.allowedHosts = allowedHosts
        self.login = login
        self.roles = roles
        self.trustedProxies = trustedProxies
        self.isInsecure = isInsecure
        self.maxDriveDelay = maxDriveDelay
    }

    init(_ values: SettingValues) {
        self.init(
            listen: values.text("console.listen"), allowedHosts: values.texts("console.allowed_hosts"),
            login: Login(rawValue: values.text("console.login")) ?? .token,
            trustedProxies: values.texts("console.trusted_proxies"),
            isInsecure: values.flag("console.insecure"),
            maxDriveDelay: values.integer("console.max_drive_delay_ms"))
        for member in values["console.roles"]?.object?.members ?? [] {
            roles[member.key] = member.value.array?.compactMap(\.string) ?? []
        }
    }
}
