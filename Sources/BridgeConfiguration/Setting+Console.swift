import DeviceKit
import JSON

extension Setting {
    /// The settings of the console; the bridge does not use them.
    static let console = [
        Setting(
            "console.listen", .text(1...255), \.console.listen, form: .consoleListen,
            "The address on which the console serves its page: an address and a port, or the path of a Unix socket."
        ),
        Setting(
            "console.allowed_hosts", .list(.text(1...255), count: 0...64), \.console.allowedHosts,
            form: .authority,
            "The names under which browsers reach the console, in addition to the loopback names of this host."
        ),
        Setting(
            "console.login", .choice(ConsoleSettings.Login.allCases.map(\.rawValue)), \.console.login,
            "The users who can log in: anyone with the link (token), accounts of the broker, users that a proxy names, or "
                + "anyone on this host (none)."),
        Setting(
            "console.roles", .map(.list(.choice(ConsoleSettings.roleNames), count: 0...8)), \.console.roles,
            "The roles by user name, * for everyone; viewer and operator for everyone if empty. The roles are those "
                + "of tactile-bridge acl."),
        Setting(
            "console.trusted_proxies", .list(.text(2...64), count: 0...64), \.console.trustedProxies,
            form: .proxyAddress,
            "The addresses of proxies whose headers are trusted; unix for all requests over a Unix socket."),
        Setting(
            "console.frame_ancestors", .list(.text(4...255), count: 0...16), \.console.frameAncestors,
            form: .frameAncestor,
            "The pages that may show the console in a frame: self for pages of the same host, such as Home Assistant's "
                + "with its add-on, or an origin. Logins work in frames of the same site only."),
        Setting(
            "console.insecure", .boolean, \.console.isInsecure,
            "Whether robots may be driven from another host over plain HTTP."),
        Setting(
            "console.max_drive_delay_ms", .integer(100...1000), \.console.maxDriveDelay, unit: "ms",
            "The highest delay between browser and console for drive commands."),
    ]
}
