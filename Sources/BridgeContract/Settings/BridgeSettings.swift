public import Bluetooth
public import DeviceKit
public import Haptics
public import HomeAssistant
public import JSON
public import Logging

/// What the bridge is told by its configuration.
public struct BridgeSettings: Hashable, Sendable {
    /// Which devices may be connected.
    public enum JoinPolicy: String, Hashable, Sendable, CaseIterable {
        /// Those of the configuration, no others.
        case configured
        /// Those of the configuration, of the state file, and those joined during `permit_join`.
        case permit
        /// Every device that a family recognises.
        case always
    }

    /// A device that the configuration names.
    public struct Device: Hashable, Sendable {
        /// Its name: its topic.
        public var name: String
        /// Its family's name.
        public var family: String
        /// Its address.
        public var address: Address
        /// Its settings, the family's section underneath.
        public var settings: Arguments
        /// The keys of ``settings`` that are given for it alone, whatever holds for its family.
        public var ownSettings: Set<String>
        /// How it looks to a person at home.
        public var appearance: Appearance

        /// Makes an entry.
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

    /// A set of devices that the configuration names, and that take commands together.
    public struct Group: Hashable, Sendable {
        /// Its name: its topic.
        public var name: String
        /// The names of its devices, in order.
        public var members: [String]
        /// Whether its name is reserved by now, so that it takes only stops.
        package var takesStopsOnly = false

        /// Makes an entry.
        public init(name: String, members: [String]) {
            self.name = name
            self.members = members
        }
    }

    /// The bridge's id, a level of its own topics.
    public var id: String
    /// What stands in front of every topic; empty, or without a slash at its end.
    public var baseTopic = ""
    /// Which devices may be connected.
    public var join: JoinPolicy
    /// How many devices may join; more than that only by the configuration, or where every device joins.
    public var maxDevices = 200
    /// How many links an adapter bears; nil for what it shows to bear.
    public var slots: Int?
    /// The devices of the configuration.
    public var devices: [Device] { didSet { places = Self.places(devices) } }
    private var places: [Address: Int]
    /// The groups of the configuration; no device may have the name of one.
    public var groups: [Group]
    /// The settings of each family's section, by the family's name, defaults filled in.
    public var families: [String: Arguments]
    /// What a request set in place of settings of families' sections, by the family's name.
    public var defaults: [String: JSON.Object] = [:]
    /// Names that no device may have, besides groups and the bridge's own: the discovery prefix.
    public var reservedNames: Set<String> = []
    /// How often `stats` is published.
    public var statsInterval: Duration = .seconds(30)
    /// How often the bridge says that it is there, in whole seconds; nil for never.
    public var heartbeat: Duration?
    /// From which level on the log is published; nil for not at all.
    public var brokerLogLevel: Logger.Level?
    /// Whether the level `trace` logs what people type too.
    public var logsTyping = false
    /// The patterns that can be played by name.
    public var patterns = Library()
    /// The program's version, as `info` says it.
    public var version: String
    /// The name of the machine, as `info` says it.
    public var host: String
    /// Where the host stands, a word; empty for anywhere.
    public var zone = ""
    /// Home Assistant; nil where nothing is announced to it.
    public var homeAssistant: HomeAssistantSettings?
    /// Whether every client that reaches the broker over the network can send commands, or listen in and
    /// change them: it is on another host, and the connection is neither encrypted nor are users told apart.
    public var isBrokerOpen = false

    /// Makes settings; what is not given is as an empty configuration has it.
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

    /// What the configuration says of a device; nil for nothing.
    public subscript(address: Address) -> Device? { places[address].map { devices[$0] } }

    private static func places(_ devices: [Device]) -> [Address: Int] {
        Dictionary(devices.enumerated().map { ($1.address, $0) }) { first, _ in first }
    }

    /// The settings of a device that joined: those of its family, and what the fleet knows otherwise.
    package func settings(of family: any DeviceFamily, with own: JSON.Object = [:]) -> Arguments {
        var settings = families[family.name] ?? Arguments()
        for member in (defaults[family.name]?.members ?? []) + own.members {
            settings.values[member.key] = .some(member.value)
        }
        return settings
    }

    /// The settings of a device of the configuration.
    package func settings(of device: Device) -> Arguments {
        var settings = device.settings
        for member in defaults[device.family]?.members ?? [] where !device.ownSettings.contains(member.key) {
            settings.values[member.key] = .some(member.value)
        }
        return settings
    }

    /// The topic of the bridge's own availability, which its last will publishes too.
    public var availabilityTopic: String { Topics(bridge: id, baseTopic: baseTopic).own("availability") }
}
