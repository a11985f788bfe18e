/// The settings of the console.
package struct ConsoleSettings: Hashable, Sendable {
    /// How users log in.
    package enum Login: String, CaseIterable, Sendable {
        /// With the link that `tactile-bridge console --link` prints.
        case token
        /// With the name and password of an account on the broker.
        case broker
        /// With a user's name in a header from a proxy.
        case proxy
        /// Without a login, on a loopback address only.
        case none
    }

    /// Stands for the origin of the console's page in ``frameAncestors``.
    package static let ownOrigin = "self"

    /// The roles of users of the console.
    package static let roleNames = [
        "viewer", "operator", "driver", "typist", "recorder", "restorer", "log-reader", "admin",
    ]

    /// An address and a port, or the path of a Unix socket.
    package var listen = "127.0.0.1:9480"
    /// The host names under which browsers reach the console, in addition to those of the loopback interface.
    package var allowedHosts: [String]
    package var login = Login.token
    /// The names of roles by the user's name, `*` for everyone; empty for the default roles.
    package var roles: [String: [String]]
    /// The addresses of trusted proxies; `unix` for a Unix socket.
    package var trustedProxies: [String]
    /// The pages that may show the console's page in a frame: origins, and ``ownOrigin``; none if empty.
    package var frameAncestors: [String]
    /// Whether drive commands are allowed over plain HTTP from another host.
    package var isInsecure = false
    /// The maximum age of the newest tick of a drive, in milliseconds.
    package var maxDriveDelay = 250

    /// Creates settings; the defaults are those of an empty configuration.
    package init(
        allowedHosts: [String] = [], roles: [String: [String]] = [:], trustedProxies: [String] = [],
        frameAncestors: [String] = []
    ) {
        self.allowedHosts = allowedHosts
        self.roles = roles
        self.trustedProxies = trustedProxies
        self.frameAncestors = frameAncestors
    }
}
