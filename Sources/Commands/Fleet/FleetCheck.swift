import Bluetooth
package import BridgeConfiguration
import BridgeContract
package import DeviceKit
import JSON

/// Contradictions in a fleet: between a file and the roster, and between the roster and the bridges.
package struct FleetCheck: Sendable {
    /// One line for each contradiction.
    package private(set) var findings: [String] = []

    /// - Parameter file: The expected entries; nil to compare only the roster with the bridges.
    package init(_ fleet: FleetSnapshot, against file: FleetFile?, at time: TimeStamp) {
        if let file { compare(fleet, file, time) }
        for (topic, reason) in fleet.refused.sorted(by: { $0.key < $1.key }) {
            findings.append("\(topic): every bridge refuses it: \(reason)")
        }
        findNames(fleet)
        findBridges(fleet)
        findDevices(fleet)
    }

    private mutating func compare(_ fleet: FleetSnapshot, _ file: FleetFile, _ time: TimeStamp) {
        let changes = FleetChanges(file, on: fleet, prunes: true, at: time)
        for change in changes.changes {
            switch change.kind {
            case .added: findings.append("\(change.subject): in the file, not on the roster")
            case .removed: findings.append("\(change.subject): on the roster, not in the file")
            case .changed:
                findings.append("\(change.subject): the roster differs from the file")
                findings += change.details.map { "  \($0)" }
            }
        }
    }

    private mutating func findNames(_ fleet: FleetSnapshot) {
        let names = Dictionary(grouping: fleet.roster.values, by: \.name).filter { $0.value.count > 1 }
        for (name, entries) in names.sorted(by: { $0.key < $1.key }) {
            let addresses = entries.map(\.address).sorted().map(\.description).joined(separator: " ")
            findings.append("\(name): the name of several devices on the roster: \(addresses)")
        }
        let known = Set(fleet.roster.values.map(\.name))
        for entry in fleet.roster.values.sorted(by: { $0.name < $1.name }) {
            for bridge in entry.preferred where fleet.bridges[bridge] == nil {
                findings.append("\(entry.name): preferred: no bridge \(bridge) has used this broker")
            }
        }
        for group in fleet.groups?.groups ?? [] {
            for member in group.members where !known.contains(member) {
                findings.append("group \(group.name): \(member) is not on the roster")
            }
        }
    }

    private mutating func findBridges(_ fleet: FleetSnapshot) {
        let rows = fleet.bridgeRows
        for row in rows {
            switch row.state {
            case .offline: findings.append("bridge \(row.bridge): offline")
            case .draining: findings.append("bridge \(row.bridge): draining")
            case .online:
                if row.fleetProtocol == nil {
                    findings.append(
                        "bridge \(row.bridge): version \(row.version ?? "?") has no roster: it uses its own names "
                            + "and settings"
                    )
                }
            }
        }
    }

    private mutating func findDevices(_ fleet: FleetSnapshot) {
        for (bridge, state) in fleet.bridges.sorted(by: { $0.key < $1.key }) where state.isOnline == true {
            for device in state.devices {
                guard let address = device["address"]?.string.flatMap({ Address($0) }),
                    let name = device["name"]?.string, let entry = fleet.roster[address]
                else { continue }
                if name != entry.name {
                    findings.append(
                        "\(entry.name): bridge \(bridge) names it \(name), by its configuration or because another "
                            + "device has its name"
                    )
                }
                if let family = device["family"]?.string, family != entry.family {
                    findings.append(
                        "\(entry.name): bridge \(bridge) treats it as family \(family), not \(entry.family)")
                }
            }
        }
    }
}
