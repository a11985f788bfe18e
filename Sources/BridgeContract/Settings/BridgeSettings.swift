public import Bluetooth
public import DeviceKit
public import Haptics
public import HomeAssistant
public import JSON
public import Logging

/// The settings of the bridge, from its configuration.
public struct BridgeSettings: Hashable, Sendable {
    /// Which devices may be connected.
    public enum JoinPolicy: String, Hashable, Sendable, CaseIterable {
        /// Only the devices of the configuration.
        case configured
        /// The devices of the configuration and of the state file, and devices that join during `permit_join`.
        case permit
        /// Every device that a family recognizes.
        case always
    }

    /// What happens to the pattern that a device is playing when a command plays another pattern.
    public enum PatternMixing: String, Hashable, Sendable, CaseIterable {
        /// Both patterns play; at each moment the stronger of both is felt.
        case add
        /// The pattern that is playing ends.
        case replace
    }

    /// A device of the configuration.
    public struct Device: Hashable, Sendable {
        /// The device's name, which is the root of its topics.
        public var name: String
        /// The name of the device's family.
        public var family: String
        /// The device's address.
        public var address: Address
        /// The device's settings. Values of the family's section fill in where the device has no value of its own.
        public var settings: Arguments
        /// The keys of ``settings`` that the configuration sets for this device itself, and not only for its family.
        public var ownSettings: Set<String>
        /// How Home Assistant displays the device.
        public var appearance: Appearance

        /// Creates the settings of a device.
        public init(
            name: String, family: String, address: Address, settings: Arguments = [:],
            ownSettings: Set<String> = [], appearance: Appearance = Appearance()
        ) {
            self.name = name
            self.family = family
            self.address = address
            self.settings = settings
            self.ownSettings = ownSettings
            self.appearance = appearance
        }
    }

    /// A group of the configuration: devices that receive commands together.
    public struct Group: Hashable, Sendable {
        /// The group's name, which is the root of its topics.
        public var name: String
        /// The names of the devices in the group, in order.
        public var members: [String]
        /// Whether the group's name has become reserved, so that the group accepts only stops.
        package var takesStopsOnly = false

        /// Creates a group.
        public init(name: String, members: [String]) {
            self.name = name
            self.members = members
        }
    }

    /// The bridge's id, which is a level of the bridge's topics.
    public var id: String
    /// The prefix of every topic; empty, or without a slash at its end.
    public var baseTopic = ""
    /// Which devices may be connected.
    public var join: JoinPolicy
    /// The maximum number of devices that may join. The configuration and the policy `always` can exceed it.
    public var maxDevices = 200
    /// The maximum number of devices that only advertise and may join. The other devices do not count toward this
    /// number.
    public var maxAdvertisedDevices = 1000
    /// The number of links that an adapter supports; nil to detect it.
    public var slots: Int?
    /// When a connected device moves to another host.
    public var moves = Moves()
    /// The devices of the configuration.
    public var devices: [Device] { didSet { places = Self.places(devices) } }
    private var places: [Address: Int]
    /// The groups of the configuration; no device may have the name of a group.
    public var groups: [Group]
    /// The settings of each family's section with defaults, by the family's name.
    public var families: [String: Arguments]
    /// The settings of families that a request set, by the family's name. They replace the values of the families'
    /// sections.
    public var defaults: [String: JSON.Object] = [:]
    /// Names that no device may have, in addition to groups and the bridge's own names: the discovery prefix.
    public var reservedNames: Set<String> = []
    /// How often the bridge publishes its metrics on `stats`.
    public var statsInterval: Duration = .seconds(30)
    /// The interval of the bridge's heartbeat, in whole seconds; nil for none.
    public var heartbeat: Duration?
    /// The lowest level of the log that is published; nil for none.
    public var brokerLogLevel: Logger.Level?
    /// Whether the level `trace` also logs what users type.
    public var logsTyping = false
    /// The patterns that can be played by name.
    public var patterns = Library()
    /// What happens to the pattern that a device is playing when a command plays another pattern.
    public var mixing = PatternMixing.add
    /// The names of the devices that may receive commands from gestures of other devices.
    public var gestureDevices: [String] = []
    /// The program's version, for `info`.
    public var version: String
    /// The name of the machine, for `info`.
    public var host: String
    /// The location of the host in one word, such as a room; empty for none.
    public var zone = ""
    /// The settings for Home Assistant; nil if nothing is announced to it.
    public var homeAssistant: HomeAssistantSettings?
    /// Whether every client that reaches the broker over the network can send commands, and read and change those of
    /// others: the broker is on another host, and the connection has neither encryption nor user authentication.
    public var isBrokerOpen = false

    /// Creates settings; the defaults are those of an empty configuration.
    public init(
        id: String = "", join: JoinPolicy = .permit, devices: [Device] = [], groups: [Group] = [],
        families: [String: Arguments] = [:], version: String = "", host: String = "",
        homeAssistant: HomeAssistantSettings? = nil
    ) {
        self.id = id
        self.join = join
        self.devices = devices
        places = Self.places(devices)
        self.groups = groups
        self.families = families
        self.version = version
        self.host = host
        self.homeAssistant = homeAssistant
    }

    /// The configuration's entry for a device; nil if there is none.
    public subscript(address: Address) -> Device? { places[address].map { devices[$0] } }

    private static func places(_ devices: [Device]) -> [Address: Int] {
        Dictionary(devices.enumerated().map { ($1.address, $0) }) { first, _ in first }
    }

    /// The settings of a device that joined: the settings of its family, overridden by those of the roster.
    package func settings(of family: any DeviceFamily, with own: JSON.Object = [:]) -> Arguments {
        var settings = families[family.name] ?? Arguments()
        for member in (defaults[family.name]?.members ?? []) + own.members {
            settings.values[member.key] = .some(member.value)
        }
        return settings
    }

    /// Returns the settings of a device of the configuration.
    package func settings(of device: Device) -> Arguments {
        var settings = device.settings
        for member in defaults[device.family]?.members ?? [] where !device.ownSettings.contains(member.key) {
            settings.values[member.key] = .some(member.value)
        }
        return settings
    }

    /// The topic of the bridge's availability, which is also the topic of its last will.
    public var availabilityTopic: String { Topics(bridge: id, baseTopic: baseTopic).own("availability") }
}
