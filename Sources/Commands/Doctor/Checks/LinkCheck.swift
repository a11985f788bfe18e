import DeviceKit

/// The connected devices, and whether another program has subscribed to their notifications.
struct LinkFacts: Hashable, Sendable {
    /// A connected device of a supported family.
    struct Device: Hashable, Sendable {
        /// Its name for users.
        var name: String
        /// Whether a program on the bus has subscribed to a characteristic of it.
        var isSubscribed: Bool
    }

    var devices: [Device]
    /// Whether this configuration's bridge is online; nil if the broker did not report it.
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
