/// What the host's Bluetooth is, for people.
public struct RadioDescription: Hashable, Sendable {
    /// Whether the Bluetooth service is there.
    public var isRunning: Bool
    /// The version of the Bluetooth service, if it can be known.
    public var version: String?
    /// The adapters: name, address, whether powered.
    public var adapters: [Adapter]

    /// One adapter.
    public struct Adapter: Hashable, Sendable {
        /// Its name: `hci0`.
        public var name: String
        /// Its address.
        public var address: Address?
        /// Whether it is switched on.
        public var isPowered: Bool
        /// Makes a description of an adapter.
        public init(name: String, address: Address?, isPowered: Bool) {
            self.name = name
            self.address = address
            self.isPowered = isPowered
        }
    }

    /// Makes a description.
    public init(isRunning: Bool = true, version: String? = nil, adapters: [Adapter] = []) {
        self.isRunning = isRunning
        self.version = version
        self.adapters = adapters
    }
}
