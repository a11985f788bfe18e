package import Bluetooth
package import BridgeContract
import DeviceKit
package import JSON

/// What the bridges of a fleet say of themselves and of their devices, and what their roster says: messages in, in any
/// order.
package struct FleetSnapshot: Sendable {
    /// A bridge.
    package struct Bridge: Sendable {
        package var isOnline: Bool?
        package var info: JSON.Object = [:]
        /// The devices that it looks after.
        package var devices: [JSON.Object] = []
        /// The groups whose members it gives commands to.
        package var groups: [JSON.Object] = []
    }

    package private(set) var bridges: [String: Bridge] = [:]
    package private(set) var roster: [Address: RosterEntry] = [:]
    package private(set) var groups: RosterGroups?
    /// What is said of the links to devices, by their names.
    package private(set) var connections: [String: JSON.Object] = [:]
    /// The messages of the roster that no bridge takes: the topic, and why.
    package private(set) var refused: [String: String] = [:]

    private let reader: RosterReader
    private let prefix: String

    /// - Parameter baseTopic: What stands in front of every topic.
    package init(_ reader: RosterReader, baseTopic: String) {
        self.reader = reader
        prefix = baseTopic.isEmpty ? "" : baseTopic + "/"
    }

    /// What is to be heard first.
    package var filters: [String] {
        ["bridge/+/availability", "bridge/+/info", "bridge/+/devices", "bridge/+/groups", "roster/+"]
            .map { prefix + $0 }
    }

    /// What is to be heard then: the links of the devices that are known by now.
    package var connectionFilters: [String] {
        let listed = bridges.values.flatMap { $0.devices.compactMap { $0["name"]?.string } }
        return Set(listed + roster.values.map(\.name)).sorted().map { "\(prefix)\($0)/connection" }
    }

    /// The topic of a device's entry.
    package func topic(of address: Address) -> String { "\(prefix)roster/\(RosterEntry.key(of: address))" }

    /// The topic of the groups.
    package var groupsTopic: String { "\(prefix)roster/\(RosterGroups.key)" }

    /// A message arrived.
    package mutating func hear(_ topic: String, _ payload: [UInt8]) {
        guard topic.hasPrefix(prefix) else { return }
        let rest = topic.dropFirst(prefix.count)
        let levels = rest.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if levels.count == 3, levels[0] == "bridge" {
            hear(levels[2], of: levels[1], payload)
        } else if levels.count == 2, levels[0] == "roster" {
            hearRoster(levels[1], topic, payload)
        } else if levels.count >= 2, levels.last == "connection" {
            let name = levels.dropLast().joined(separator: "/")
            connections[name] = (try? JSON.Value(parsing: payload))?.object
        }
    }

    private mutating func hear(_ state: String, of bridge: String, _ payload: [UInt8]) {
        var known = bridges[bridge] ?? Bridge()
        let value = try? JSON.Value(parsing: payload)
        switch state {
        case "availability": known.isOnline = payload.isEmpty ? nil : payload == Array("online".utf8)
        case "info": known.info = value?.object ?? [:]
        case "devices": known.devices = value?.array?.compactMap(\.object) ?? []
        case "groups": known.groups = value?.array?.compactMap(\.object) ?? []
        default: return
        }
        bridges[bridge] = known
    }

    private mutating func hearRoster(_ key: String, _ topic: String, _ payload: [UInt8]) {
        refused[topic] = nil
        do {
            if key == RosterGroups.key {
                groups = payload.isEmpty ? nil : try reader.groups(payload)
            } else if let address = RosterEntry.address(of: key) {
                roster[address] = nil
                if !payload.isEmpty { roster[address] = try reader.entry(payload, of: address) }
            } else if !payload.isEmpty {
                refused[topic] = "\(key) is no address; allowed: such as c0ffee00be01, and groups"
            }
        } catch { refused[topic] = error.description }
    }
}
