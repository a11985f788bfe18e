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
        /// The number of links that a proxy supports, and how many of them are free; nil if unknown.
        public var slots: Slots?
        /// Why a proxy cannot be used, and what to do, in words; nil if it can be used, or for an adapter of the host.
        public var problem: String?
        /// How a proxy is shared with other bridges; nil if it cannot be used, or for an adapter of the host.
        public var sharing: Sharing?

        /// Which bridge uses a proxy, as far as this bridge knows.
        public enum Sharing: Hashable, Sendable {
            /// This bridge uses it.
            case used
            /// This bridge waits until no other bridge uses it.
            case waiting
            /// An unknown program has taken it from this bridge.
            case displaced
        }

        /// The links of an adapter.
        public struct Slots: Hashable, Sendable {
            /// The number of further links.
            public var free: Int
            /// The number of links in all.
            public var limit: Int
            /// Creates numbers of links.
            public init(free: Int, limit: Int) { (self.free, self.limit) = (free, limit) }
        }

        /// Creates a description of an adapter.
        public init(
            name: String, address: Address?, isPowered: Bool, slots: Slots? = nil, problem: String? = nil,
            sharing: Sharing? = nil
        ) {
            (self.name, self.address, self.isPowered) = (name, address, isPowered)
            (self.slots, self.problem, self.sharing) = (slots, problem, sharing)
        }
    }

    /// Creates a description.
    public init(isRunning: Bool = true, version: String? = nil, adapters: [Adapter] = []) {
        self.isRunning = isRunning
        self.version = version
        self.adapters = adapters
    }
}
