import DeviceKit

/// Which devices are connected, and whether another program has subscribed to their notifications.
struct LinkFacts: Hashable, Sendable {
    /// A connected device of a family that the bridge knows.
    struct Device: Hashable, Sendable {
        /// As a person calls it.
        var name: String
        /// Whether a program on the bus has subscribed to something of it.
        var isSubscribed: Bool
    }

    var devices: [Device]
    /// Whether the bridge of this configuration is online, as its broker tells; nil where the broker did not.
    var isBridgeOnline: Bool?

    var findings: [Finding] {
        guard !devices.isEmpty else { return [] }
        let names = devices.map(\.name).joined(separator: ", ")
        let subscribed = devices.filter(\.isSubscribed)
        guard isBridgeOnline == false, !subscribed.isEmpty else {
            return [.ok(.devices, "connected: \(names)")]
        }
        return [
            .warning(
                .devices,
                "a program other than the bridge listens to \(subscribed.map(\.name).joined(separator: ", ")): while "
                    + "two do, BlueZ signals each notification once for each, to both of them, so that everything "
                    + "arrives twice",
                [
                    "end the other program; who talks to BlueZ: busctl --system list | grep -v systemd",
                    "or set bluetooth.acquire to true, which keeps notifications to the program that asked for them",
                ])
        ]
    }
}
