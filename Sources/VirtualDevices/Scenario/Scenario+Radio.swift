public import Bluetooth

extension Scenario {
    /// The behavior of the simulated radio and its daemon. A value of nil means the behavior that was measured with a
    /// real radio and daemon.
    public struct Radio: Hashable, Sendable {
        /// The number of simulated Bluetooth adapters.
        public var adapters: Int?
        /// The number of the host, 0 to 255, from which its adapters' addresses are derived. So each host has adapters
        /// with different addresses.
        public var host: Int?
        /// How long a call to connect takes until the connection exists.
        public var connectTime: Duration?
        /// How long after the connection the services are resolved.
        public var resolveTime: Duration?
        /// How long pairing takes.
        public var pairingTime: Duration?
        /// How long an orderly disconnect takes.
        public var disconnectTime: Duration?
        /// After how long a call to connect to a device that is out of range fails.
        public var connectTimeout: Duration?
        /// The supervision timeout of connections.
        public var supervisionTimeout: Duration?
        /// The delay from `ServicesResolved` until the service objects appear on the bus, which reproduces a race in
        /// BlueZ.
        public var servicesLate: Duration?
        /// Whether pairing calls the pairing agent of the client.
        public var pairingAsksAgent: Bool?
        /// The services that the daemon's plugins hide from clients, in addition to GAP and HID.
        public var claimedServices: Set<UUID>?
        /// A file that stores known devices and bonds across restarts.
        public var memoryFile: String?

        /// Creates a radio with the measured behavior.
        public init() {}

        /// Reads the section `bluez` of a scenario file.
        init(_ reader: MappingReader?) throws(ScenarioError) {
            guard var reader else { return }
            adapters = try reader.integer("adapters", in: 1...8)
            host = try reader.integer("host", in: 0...255)
            connectTime = try reader.duration("connect_time")
            resolveTime = try reader.duration("resolve_time")
            pairingTime = try reader.duration("pairing_time")
            disconnectTime = try reader.duration("disconnect_time")
            connectTimeout = try reader.duration("connect_timeout", from: .milliseconds(1))
            supervisionTimeout = try reader.duration("supervision_timeout", from: .milliseconds(1))
            servicesLate = try reader.duration("services_late")
            pairingAsksAgent = try reader.flag("pairing_asks_agent")
            claimedServices = try reader.list("claimed_services", expected: "a list such as [180A, 180F]") {
                UUID($0)
            }.map { Set($0) }
            memoryFile = try reader.scalar("memory_file", expected: "the path of a file") { text in
                text.isEmpty ? nil : text
            }
            try reader.finish()
        }
    }
}
