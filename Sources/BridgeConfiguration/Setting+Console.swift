import DeviceKit
import JSON

extension Setting {
    /// The settings of the console; the bridge does not use them.
    static let console = [
        Setting(
            "console.listen", .text(1...255), \.console.listen, form: .consoleListen,
            "Where the console serves its page: an address and a port, or the path of a Unix socket."),
        Setting(
            "console.allowed_hosts", .list(.text(1...255), count: 0...64), \.console.allowedHosts,
            form: .authority,
            "The names under which browsers reach the console, besides those of this host's loopback."),
        Setting(
            "console.login", .choice(ConsoleSettings.Login.allCases.map(\.rawValue)), \.console.login,
            "Who is let in: whoever has the link (token), accounts of the broker, whom a proxy names, or anyone on this "
                + "host (none)."),
        Setting(
            "console.roles", .map(.list(.choice(ConsoleSettings.roleNames), count: 0...8)), \.console.roles,
            "The roles by the user's name, * for everyone; viewer and operator for everyone if empty. Those of tactile-bridge "
                + "acl."),
        Setting(
            "console.trusted_proxies", .list(.text(2...64), count: 0...64), \.console.trustedProxies,
            form: .proxyAddress,
            "Where a proxy's requests come from, whose headers are believed; unix for all of a Unix socket."),
        Setting(
            "console.insecure", .boolean, \.console.isInsecure,
            "Whether robots may be driven over plain HTTP from another host."),
        Setting(
            "console.max_drive_delay_ms", .integer(100...1000), \.console.maxDriveDelay, unit: "ms",
            "How old the way between browser and console may be for a drive to count."),
    ]
}
