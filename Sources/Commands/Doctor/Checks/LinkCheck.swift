import DeviceKit

/// The connected devices, and whether another program has subscribed to their notifications.
struct LinkFacts: Hashable, Sendable {
    struct Device: Hashable, Sendable {
        /// The device's name for users.
        var name: String
        /// Whether a program on the bus has subscribed to a characteristic of the device.
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
                "a program other than the bridge subscribes to \(subscribed.map(\.name).joined(separator: ", ")): "
                    + "BlueZ then sends each notification twice to both programs",
                [
                    "stop the other program; candidates: busctl --system list | grep -v systemd",
                    "or set bluetooth.acquire to true, so that notifications go only to the program that acquired them",
                ])
        ]
    }
}
