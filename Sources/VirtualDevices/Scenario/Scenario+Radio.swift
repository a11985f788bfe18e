public import Bluetooth

extension Scenario {
    /// How the imagined radio and its daemon behave; nil leaves it as real ones were measured.
    public struct Radio: Hashable, Sendable {
        /// How many adapters are plugged in.
        public var adapters: Int?
        /// Which of several hosts this one is, 0 to 255: each has adapters with addresses of its own.
        public var host: Int?
        /// From a call to connect until the link is up.
        public var connectTime: Duration?
        /// From then until the services are known.
        public var resolveTime: Duration?
        /// How long pairing takes.
        public var pairingTime: Duration?
        /// How long an orderly disconnection takes.
        public var disconnectTime: Duration?
        /// How long a call to connect waits for a device that is not heard.
        public var connectTimeout: Duration?
        /// After what silence a link is lost.
        public var supervisionTimeout: Duration?
        /// How much too early the services are called known.
        public var servicesLate: Duration?
        /// Whether pairing needs an agent.
        public var pairingAsksAgent: Bool?
        /// The services that the daemon's plugins hide from its clients besides GAP and HID.
        public var claimedServices: Set<UUID>?
        /// A file in which known devices and bonds outlive a restart.
        public var memoryFile: String?

        /// Leaves everything as measured.
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
