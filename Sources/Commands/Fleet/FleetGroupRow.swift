import BridgeContract
import JSON
import Terminal

/// A group in `fleet devices --groups`: the sum of its members on all bridges that are online.
package struct FleetGroupRow: Hashable, Sendable {
    var group: String
    /// The bridges that have members of the group or know such devices.
    var bridges: [String]
    var members = 0
    var online = 0
    var lowestBattery: Double?
    var playing = 0
    var stopped = 0

    fileprivate init(_ group: String, _ states: [(bridge: String, state: JSON.Object)]) {
        self.group = group
        bridges = states.map(\.bridge).sorted()
        func sum(_ key: String) -> Int { states.reduce(0) { $0 + ($1.state[key]?.integer ?? 0) } }
        (members, online, playing, stopped) = (sum("members"), sum("online"), sum("playing"), sum("stopped"))
        lowestBattery = states.compactMap { $0.state["lowest_battery"]?.double }.min()
    }

    /// One line for programs; an unknown battery level is null.
    package var line: String {
        JSON.Value.object([
            "group": .string(group), "members": .integer(members), "online": .integer(online),
            "lowest_battery": lowestBattery.map { .number($0) } ?? .null, "playing": .integer(playing),
            "stopped": .integer(stopped), "bridges": .array(bridges.map { .string($0) }),
        ]).description
    }
}

extension FleetSnapshot {
    /// The groups of the bridges that are online, by name.
    package var groupRows: [FleetGroupRow] {
        var states: [String: [(bridge: String, state: JSON.Object)]] = [:]
        for (id, bridge) in bridges where bridge.isOnline == true {
            for (group, state) in bridge.groupStates { states[group, default: []].append((id, state)) }
        }
        return states.map { FleetGroupRow($0, $1) }.sorted { $0.group < $1.group }
    }
}

extension [FleetGroupRow] {
    /// The lines of `fleet devices --groups`.
    package var table: [String] {
        var table = TextTable()
        table.add(["GROUP", "ONLINE", "BATTERY", "PLAYING", "STOPPED", "BRIDGES"])
        for row in self {
            table.add([
                row.group, "\(row.online) of \(row.members)",
                row.lowestBattery.map { "\(JSON.Value.number($0)) %" } ?? "-", "\(row.playing)",
                "\(row.stopped)", row.bridges.joined(separator: " "),
            ])
        }
        return table.lines()
    }
}
