package import Bluetooth
package import BridgeContract
import DeviceKit
package import JSON

/// The published state of the bridges of a fleet, their devices and the roster. The messages may arrive in any order.
package struct FleetSnapshot: Sendable {
    package struct Bridge: Sendable {
        package var isOnline: Bool?
        package var info: JSON.Object = [:]
        /// The entries of the bridge's message `devices`.
        package var devices: [JSON.Object] = []
        /// The entries of the bridge's message `groups`.
        package var groups: [JSON.Object] = []
        /// The states of its groups, by group.
        package var groupStates: [String: JSON.Object] = [:]
        /// The newest metrics; empty before the first message.
        package var stats: JSON.Object = [:]
    }

    package private(set) var bridges: [String: Bridge] = [:]
    package private(set) var roster: [Address: RosterEntry] = [:]
    package private(set) var groups: RosterGroups?
    /// The messages on the devices' topics `connection`, by the device's name.
    package private(set) var connections: [String: JSON.Object] = [:]
    /// The messages of the roster that every bridge rejects, by topic, with the reason.
    package private(set) var refused: [String: String] = [:]

    private let reader: RosterReader
    private let prefix: String
    /// Whether the states of groups are read too.
    private let readsGroups: Bool

    /// - Parameters:
    ///   - baseTopic: The prefix of every topic.
    ///   - readsGroups: Whether the states of groups are read too. Older access lists do not allow it.
    package init(_ reader: RosterReader, baseTopic: String, readsGroups: Bool = false) {
        self.reader = reader
        self.readsGroups = readsGroups
        prefix = baseTopic.isEmpty ? "" : baseTopic + "/"
    }

    /// The filters to subscribe to first.
    package var filters: [String] {
        let states =
            ["availability", "info", "devices", "groups"]
            + (readsGroups ? [GroupFeatures.anyState] : [])
        return (states.map { "bridge/+/\($0)" } + ["roster/+"]).map { prefix + $0 }
    }

    /// The filter of the metrics, which are not retained.
    package var statsFilter: String { "\(prefix)bridge/+/stats" }

    /// The filters to subscribe to next: the topics `connection` of the devices that are known after the first filters.
    package var connectionFilters: [String] {
        let listed = bridges.values.flatMap { $0.devices.compactMap { $0["name"]?.string } }
        return Set(listed + roster.values.map(\.name)).sorted().map { "\(prefix)\($0)/connection" }
    }

    package func topic(of address: Address) -> String { "\(prefix)roster/\(RosterEntry.key(of: address))" }

    package var groupsTopic: String { "\(prefix)roster/\(RosterGroups.key)" }

    package mutating func hear(_ topic: String, _ payload: [UInt8]) {
        guard topic.hasPrefix(prefix) else { return }
        let rest = topic.dropFirst(prefix.count)
        let levels = rest.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if levels.count == 3, levels[0] == "bridge" {
            hear(levels[2], of: levels[1], payload)
        } else if levels.count > 3, levels[0] == "bridge", levels[2] == "groups" {
            let group = levels.dropFirst(3).joined(separator: "/")
            bridges[levels[1], default: Bridge()].groupStates[group] =
                (try? JSON.Value(parsing: payload))?.object
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
        case "stats": known.stats = value?.object ?? [:]
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
                refused[topic] =
                    "\(key) is not an address; allowed: an address such as c0ffee00be01, or groups"
            }
        } catch { refused[topic] = error.description }
    }
}
