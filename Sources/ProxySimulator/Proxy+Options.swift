package import Bluetooth

extension Proxy {
    /// The ages of firmware, which differ in what they do with a second subscriber and with a full buffer.
    package enum Firmware: String, CaseIterable, Sendable {
        /// The first subscriber stays, and a lost connection is reported twice.
        case v2026_6 = "2026.6"
        /// The newest subscriber replaces the previous subscriber.
        case v2026_10 = "2026.10"

        var version: String { self == .v2026_6 ? "2026.6.5" : "2026.10.0" }
        /// The minor version of the API.
        var minor: UInt32 { self == .v2026_6 ? 14 : 19 }
    }

    /// The identity and the behavior of a proxy, with the firmware's times as defaults.
    package struct Options: Sendable {
        package var firmware = Firmware.v2026_10
        package var name = "attic-proxy"
        package var address: Address = "C0:FF:EE:00:00:01"
        /// Whether clients need a key.
        var hasKey = true
        /// The number of connections to devices.
        package var slots = 3
        /// The number of clients.
        var places = 5
        /// The time limit for a client's hello.
        var helloTimeout = Duration.seconds(60)
        /// The time without a message after which a client is pinged, and dropped.
        var pingTime = Duration.seconds(60)
        package var silenceTimeout = Duration.seconds(150) { didSet { pingTime = silenceTimeout * 2 / 5 } }
        /// The time from the start of a connection until the services are known.
        var connectTime = Duration.milliseconds(300)
        var connectTimeout = Duration.seconds(20)
        var pairingTime = Duration.milliseconds(300)
        /// The supervision timeout of connections.
        var supervision = Duration.seconds(8)
        /// The interval of batches of advertisements.
        var batchTime = Duration.milliseconds(100)
        /// The time between the announcement of a restart and the restart.
        var restartDelay = Duration.seconds(1)
        /// The duration of a restart, longer than the supervision timeout.
        var bootTime = Duration.seconds(10)

        package init() {}
    }
}
