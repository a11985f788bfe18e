public import Bluetooth
public import DeviceKit

/// What the bridge is told by its configuration.
public struct BridgeSettings: Sendable {
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

        /// Makes an entry.
        public init(name: String, family: String, address: Address, settings: Arguments = [:]) {
            self.name = name
            self.family = family
            self.address = address
            self.settings = settings
        }
    }

    /// The bridge's id, a level of its own topics.
    public var id: String
    /// What stands in front of every topic; empty, or without a slash at its end.
    public var baseTopic: String
    /// Which devices may be connected.
    public var join: JoinPolicy
    /// The devices of the configuration.
    public var devices: [Device]
    /// The settings of each family's section, by the family's name, defaults filled in.
    public var families: [String: Arguments]
    /// Names that no device may have: groups, the discovery prefix.
    public var reservedNames: Set<String>
    /// The program's version, as `info` says it.
    public var version: String
    /// The name of the machine, as `info` says it.
    public var host: String

    /// Makes settings; what is not given is as an empty configuration has it.
    public init(
        id: String, baseTopic: String = "", join: JoinPolicy = .permit, devices: [Device] = [],
        families: [String: Arguments] = [:], reservedNames: Set<String> = [], version: String = "",
        host: String = ""
    ) {
        self.id = id
        self.baseTopic = baseTopic
        self.join = join
        self.devices = devices
        self.families = families
        self.reservedNames = reservedNames
        self.version = version
        self.host = host
    }

    /// The topic of the bridge's own availability, which its last will publishes too.
    public var availabilityTopic: String { Topics(bridge: id, baseTopic: baseTopic).own("availability") }
}
