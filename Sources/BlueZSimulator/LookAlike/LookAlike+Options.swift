public import Bluetooth

extension LookAlike {
    /// The behavior of the simulator where BlueZ, its adapters and its devices may differ. The defaults were measured
    /// with bluetoothd 5.66.
    public struct Options: Hashable, Sendable {
        /// The adapters that are plugged in at the start.
        public var adapters = [AdapterDescription()]
        /// How long after the start of the daemon its adapters are on the bus.
        public var startTime: Duration = .milliseconds(200)
        /// How long after `Connect` to a reachable device `Connected` becomes true.
        public var connectTime: Duration = .milliseconds(150)
        /// How long after `Connected` the services are resolved, on the first connection. Later connections take a
        /// third of this time.
        public var resolveTime: Duration = .milliseconds(300)
        /// How long after the start of pairing the device agrees.
        public var pairingTime: Duration = .milliseconds(600)
        /// How long after `Disconnect` the connection is closed.
        public var disconnectTime: Duration = .seconds(2)
        /// The timeout of `Connect` to a device that is out of range.
        public var connectTimeout: Duration = .seconds(40)
        /// The supervision timeout of connections.
        public var supervisionTimeout: Duration = .milliseconds(420)
        /// How long after its last advertisement a temporary device stays known.
        public var temporaryTimeout: Duration = .seconds(30)
        /// The interval between the advertising reports of a device during discovery.
        public var reportInterval: Duration = .seconds(1)
        /// The delay of the service objects after `ServicesResolved` on the first connection, which reproduces a race
        /// in BlueZ; nil if the objects appear first, which is the correct order.
        public var servicesLate: Duration?
        /// Whether pairing calls the agent. BlueZ requires a registered agent, but does not call it if the host starts
        /// to pair with a device without display and keyboard. BlueZ does call the agent if the host still has a key
        /// from an earlier bond with the device.
        public var pairingAsksAgent = false
        /// The services that plugins claim in addition to GAP and HID, so that their objects are not on the bus. Builds
        /// of BlueZ before 5.80 differ for device information (180A) and battery (180F).
        public var claimedServices: Set<UUID> = []
        /// The maximum ATT MTU of the host, in bytes.
        public var mtu = 517
        /// The path of a file that stores known devices and bonds across restarts; nil for no file.
        public var memoryFile: String?

        /// Creates the default options.
        public init() {}
    }

    /// A simulated adapter.
    public struct AdapterDescription: Hashable, Sendable {
        /// The name of the adapter, such as `hci0`.
        public var name: String
        /// The Bluetooth address of the adapter.
        public var address: Address

        /// Creates a description.
        public init(name: String = "hci0", address: Address = "02:B1:7E:00:00:00") {
            self.name = name
            self.address = address
        }
    }
}
