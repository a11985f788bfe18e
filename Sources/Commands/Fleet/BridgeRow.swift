import Glibc
import JSON
import Terminal

/// A bridge in the output of `fleet ls`.
package struct BridgeRow: Hashable, Sendable {
    enum State: String, Hashable, Sendable { case online, offline, draining }

    var bridge: String
    var state: State
    var version: String?
    var host: String?
    var zone: String?
    /// The number of devices that the bridge knows; nil if it did not report it.
    var known: Int?
    var online: Int?
    /// The number of additional links that the bridge's adapters support; nil if the bridge did not report it.
    var slots: Int?
    /// The version of the bridge's fleet protocol; nil for a version of the bridge without fleets.
    var fleetProtocol: Int?

    init(_ id: String, _ bridge: FleetSnapshot.Bridge) {
        let info = bridge.info
        self.bridge = id
        let isOnline = bridge.isOnline == true
        state = !isOnline ? .offline : info["draining"] == true ? .draining : .online
        version = info["version"]?.string
        host = info["host"]?.string
        zone = info["zone"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        known = info["devices"]?["known"]?.integer
        online = isOnline ? info["devices"]?["online"]?.integer : 0
        slots = info["slots"]?.integer
        fleetProtocol = info["fleet_protocol"]?.integer
    }

    /// The row as one line of JSON, for programs; unknown values are null.
    package var line: String {
        func text(_ value: String?) -> JSON.Value { value.map { .string($0) } ?? .null }
        func number(_ value: Int?) -> JSON.Value { value.map { .integer($0) } ?? .null }
        return JSON.Value.object([
            "bridge": .string(bridge), "state": .string(state.rawValue), "version": text(version),
            "host": text(host), "zone": text(zone), "known": number(known), "online": number(online),
            "slots": number(slots), "fleet_protocol": number(fleetProtocol),
        ]).description
    }
}

extension FleetSnapshot {
    package var bridgeRows: [BridgeRow] {
        bridges.filter { $0.value.isOnline != nil || !$0.value.info.isEmpty }
            .sorted { $0.key < $1.key }.map { BridgeRow($0.key, $0.value) }
    }
}

extension [BridgeRow] {
    /// The rows as lines of the output of `fleet ls`, below a header.
    package var table: [String] {
        var table = TextTable()
        table.add(["BRIDGE", "STATE", "VERSION", "ZONE", "ONLINE", "SLOTS", "HOST"])
        for row in self {
            let devices = row.known.map { "\(row.online ?? 0) of \($0)" } ?? "-"
            table.add([
                row.bridge, row.state.rawValue, row.version ?? "-", row.zone ?? "-", devices,
                row.slots.map(String.init) ?? "-", row.host ?? "-",
            ])
        }
        return table.lines()
    }
}

extension [String] {
    /// The lines cut to the width of the terminal; unchanged if the output is not a terminal.
    package var fitted: [String] {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1 else { return self }
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
        return fitted(columns: isKnown ? Int(size.ws_col) : 80)
    }

    func fitted(columns: Int) -> [String] {
        map { $0.count <= columns ? $0 : $0.prefix(columns - 1) + "…" }
    }
}
