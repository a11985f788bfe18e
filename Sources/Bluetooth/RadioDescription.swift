/// The state of the host's Bluetooth service and its adapters, as shown to users.
public struct RadioDescription: Hashable, Sendable {
    /// Whether the Bluetooth service is running.
    public var isRunning: Bool
    /// The version of the Bluetooth service; nil if unknown.
    public var version: String?
    /// The adapters.
    public var adapters: [Adapter]

    /// A Bluetooth adapter.
    public struct Adapter: Hashable, Sendable {
        /// The name: `hci0`.
        public var name: String
        /// The address; nil if unknown.
        public var address: Address?
        /// Whether the adapter is switched on.
        public var isPowered: Bool
        /// Creates a description of an adapter.
        public init(name: String, address: Address?, isPowered: Bool) {
            self.name = name
            self.address = address
            self.isPowered = isPowered
        }
    }

    /// Creates a description.
    public init(isRunning: Bool = true, version: String? = nil, adapters: [Adapter] = []) {
        self.isRunning = isRunning
        self.version = version
        self.adapters = adapters
    }
}
