public import Bluetooth

extension LookAlike {
    /// How the look-alike behaves where BlueZ, its adapters and its devices may differ; the defaults were measured
    /// with bluetoothd 5.66.
    public struct Options: Hashable, Sendable {
        /// The adapters that are plugged in at the start.
        public var adapters = [AdapterDescription()]
        /// From the start of the daemon until its adapters are on the bus.
        public var startTime: Duration = .milliseconds(200)
        /// From `Connect` to a reachable device until `Connected`.
        public var connectTime: Duration = .milliseconds(150)
        /// From `Connected` until the services are known, at the first connection; a third of it later on.
        public var resolveTime: Duration = .milliseconds(300)
        /// From the beginning of pairing until the device agrees.
        public var pairingTime: Duration = .milliseconds(600)
        /// From `Disconnect` until the link is closed.
        public var disconnectTime: Duration = .seconds(2)
        /// How long `Connect` waits for a device that is not heard.
        public var connectTimeout: Duration = .seconds(40)
        /// After what silence a link is lost.
        public var supervisionTimeout: Duration = .milliseconds(420)
        /// How long a device that was only heard stays known after it was heard last.
        public var temporaryTimeout: Duration = .seconds(30)
        /// How often a device is heard while discovery runs.
        public var reportInterval: Duration = .seconds(1)
        /// How much earlier than the services `ServicesResolved` comes at the first connection: the race that
        /// BlueZ sometimes loses; nil for the right order.
        public var servicesLate: Duration?
        /// Whether pairing asks the agent. BlueZ wants an agent to be there, and does not ask it when the host begins
        /// to pair with a device without display and keyboard; it does if the host holds a key of the device still.
        public var pairingAsksAgent = false
        /// The services that plugins claim besides GAP and HID, so that their objects are not on the bus: builds of
        /// BlueZ before 5.80 differ in device information (180A) and battery (180F).
        public var claimedServices: Set<UUID> = []
        /// The largest ATT MTU of the host, in bytes.
        public var mtu = 517
        /// The path of a file in which known devices and bonds outlive the daemon; nil for no file.
        public var memoryFile: String?

        /// Makes the defaults.
        public init() {}
    }

    /// An adapter to be imagined.
    public struct AdapterDescription: Hashable, Sendable {
        /// Its name: `hci0`.
        public var name: String
        /// Its address.
        public var address: Address

        /// Makes a description.
        public init(name: String = "hci0", address: Address = "02:B1:7E:00:00:00") {
            self.name = name
            self.address = address
        }
    }
}
