public import Bluetooth
public import JSON

/// Keeps what the bridge must know after a restart.
public protocol StateStore: Sendable {
    /// Reads what was kept; nothing at the first start.
    func load() async -> BridgeState
    /// Keeps a state, in one step: after a power cut either the old or the new one is there.
    ///
    /// - Returns: Whether it is kept; if not, the bridge tries again after a while.
    func save(_ state: BridgeState) async -> Bool
}

/// What the bridge must know after a restart.
public struct BridgeState: Hashable, Sendable {
    /// A device that was joined or named.
    public struct Device: Hashable, Sendable {
        /// Its address.
        public var address: Address
        /// Its family's name.
        public var family: String
        /// The name that it was given once, its topic.
        public var name: String
        /// What its state machine asked to remember.
        public var memory: JSON.Object
        /// Whether it joined, so that it is connected again after a restart; false for a device that only the
        /// configuration names.
        public var isJoined: Bool
        /// Whether a person let it go until they ask for it again.
        public var isUserDisconnected: Bool
        /// The names that it had before, the newest last: stops that are sent to one of them are obeyed.
        public var formerNames: [String]
        /// Whether a person let it in as a keyboard or the like, which its family is not.
        public var isInput: Bool
        /// Its settings that the fleet knows, where they are not those of its family's section.
        public var settings: JSON.Object

        /// Makes an entry.
        public init(
            address: Address, family: String, name: String, memory: JSON.Object = [:], isJoined: Bool = true,
            isUserDisconnected: Bool = false, formerNames: [String] = [], isInput: Bool = false,
            settings: JSON.Object = [:]
        ) {
            self.address = address
            self.family = family
            self.name = name
            self.memory = memory
            self.isJoined = isJoined
            self.isUserDisconnected = isUserDisconnected
            self.formerNames = formerNames
            self.isInput = isInput
            self.settings = settings
        }
    }

    /// The devices, in the order in which they were joined.
    public private(set) var devices: [Device]
    private var places: [Address: Int]
    /// The retained topics that the bridge has published, so that those of removed devices can be cleared.
    public var retainedTopics: Set<String>
    /// What a request set in place of settings of families' sections, by the family's name.
    public var defaults: [String: JSON.Object]

    /// Makes a state.
    public init(
        devices: [Device] = [], retainedTopics: Set<String> = [], defaults: [String: JSON.Object] = [:]
    ) {
        self.devices = devices
        self.retainedTopics = retainedTopics
        self.defaults = defaults
        places = Self.places(devices)
    }

    /// What is kept of a device; nil for nothing.
    public subscript(address: Address) -> Device? {
        get { places[address].map { devices[$0] } }
        set {
            switch (places[address], newValue) {
            case (let place?, let device?): devices[place] = device
            case (let place?, nil):
                devices.remove(at: place)
                places = Self.places(devices)
            case (nil, let device?):
                places[address] = devices.count
                devices.append(device)
            case (nil, nil): break
            }
        }
    }

    private static func places(_ devices: [Device]) -> [Address: Int] {
        Dictionary(devices.enumerated().map { ($1.address, $0) }) { first, _ in first }
    }
}
