package struct ConsoleSettings: Hashable, Sendable {
    /// How users log in.
    package enum Login: String, CaseIterable, Sendable {
        /// Users log in with the link that `tactile-bridge console --link` prints.
        case token
        /// Users log in with the name and password of an account on the broker.
        case broker
        /// A proxy logs users in, and sends the user's name in a header.
        case proxy
        /// Users need no login. Only allowed on a loopback address.
        case none
    }

    /// The word that stands for the origin of the console's page in ``frameAncestors``.
    package static let ownOrigin = "self"

    /// The names of the roles that users of the console can have.
    package static let roleNames = [
        "viewer", "operator", "driver", "typist", "recorder", "restorer", "log-reader", "admin",
    ]

    /// The address on which the console serves its page: an address and a port, or the path of a Unix socket.
    package var listen = "127.0.0.1:9480"
    /// The host names under which browsers reach the console, in addition to those of the loopback interface.
    package var allowedHosts: [String]
    package var login = Login.token
    /// The names of each user's roles, by the user's name. The name `*` means every user. Empty for the default roles.
    package var roles: [String: [String]]
    /// The addresses of trusted proxies; `unix` for a Unix socket.
    package var trustedProxies: [String]
    /// The pages that may show the console's page in a frame, as origins or ``ownOrigin``. If empty, no page may.
    package var frameAncestors: [String]
    /// Whether users on another host may drive robots over plain HTTP.
    package var isInsecure = false
    /// The maximum delay of drive commands between browser and console, in milliseconds.
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
