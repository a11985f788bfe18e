public import Bluetooth
public import JSON

/// Stores the state that the bridge needs after a restart.
public protocol StateStore: Sendable {
    /// Reads the stored state; returns an empty state at the first start.
    func load() async -> BridgeState
    /// Stores a state atomically: after a power failure, either the old or the new state exists.
    ///
    /// - Returns: Whether the state is stored; if not, the bridge retries later.
    func save(_ state: BridgeState) async -> Bool
}

/// The state that the bridge needs after a restart.
public struct BridgeState: Hashable, Sendable {
    /// A device that joined or was named.
    public struct Device: Hashable, Sendable {
        /// The device's address.
        public var address: Address
        /// The name of the device's family.
        public var family: String
        /// The device's assigned name, which is the root of its topics.
        public var name: String
        /// The values that the device's state machine keeps across restarts.
        public var memory: JSON.Object
        /// Whether the device joined, so that the bridge connects to it again after a restart; false for a device that
        /// only the configuration names.
        public var isJoined: Bool
        /// Whether the user disconnected the device until the next request to connect.
        public var isUserDisconnected: Bool
        /// The device's former names, the newest last. The device still obeys stops that are sent to a former name.
        public var formerNames: [String]
        /// Whether the user admitted the device although it is an input device, such as a keyboard, and its family is
        /// no input family.
        public var isInput: Bool
        /// The device's settings from the roster, where they differ from the section of its family.
        public var settings: JSON.Object

        /// Creates the entry of a device.
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

    /// The devices, in the order in which they joined.
    public private(set) var devices: [Device]
    private var places: [Address: Int]
    /// The retained topics that the bridge has published, so that the topics of removed devices can be cleared.
    public var retainedTopics: Set<String>
    /// The settings of families that a request set, by the family's name. They replace the values in the configuration.
    public var defaults: [String: JSON.Object]

    /// Creates a state.
    public init(
        devices: [Device] = [], retainedTopics: Set<String> = [], defaults: [String: JSON.Object] = [:]
    ) {
        self.devices = devices
        self.retainedTopics = retainedTopics
        self.defaults = defaults
        places = Self.places(devices)
    }

    /// The entry of a device; nil if there is none.
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
