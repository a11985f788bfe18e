import Bluetooth
import BridgeContract
import JSON
import Terminal

/// A device in the output of `fleet devices`.
package struct FleetDeviceRow: Hashable, Sendable {
    var name: String
    var family: String
    var address: Address
    /// The id of the bridge that is connected to the device, or that published the device's state last.
    var bridge: String?
    /// The state on the device's topic `connection`; nil if no bridge publishes it.
    var state: String?
    var rssi: Int?
    var reason: String?
    var isOnRoster: Bool

    /// The row as one line of JSON, for programs; unknown values are null.
    package var line: String {
        func text(_ value: String?) -> JSON.Value { value.map { .string($0) } ?? .null }
        return JSON.Value.object([
            "name": .string(name), "family": .string(family), "address": .string(address.description),
            "bridge": text(bridge), "state": text(state), "rssi": rssi.map { .integer($0) } ?? .null,
            "reason": text(reason), "roster": .bool(isOnRoster),
        ]).description
    }
}

extension FleetSnapshot {
    /// The devices of the roster, and the devices that only bridges report, ordered by name.
    package var deviceRows: [FleetDeviceRow] {
        var found: [Address: (name: String, family: String)] = roster.mapValues { ($0.name, $0.family) }
        for bridge in bridges.values {
            for device in bridge.devices {
                guard let address = device["address"]?.string.flatMap({ Address($0) }), found[address] == nil,
                    let name = device["name"]?.string, let family = device["family"]?.string
                else { continue }
                found[address] = (name, family)
            }
        }
        return found.map { address, device in
            let connection = connections[device.name].flatMap { connection in
                connection["address"]?.string == address.description ? connection : nil
            }
            let isHeld = connection?["bridge"]?.string.map { bridges[$0]?.isOnline != false } ?? false
            let gone = connection == nil ? nil : (state: "offline", reason: "its bridge is offline")
            return FleetDeviceRow(
                name: device.name, family: device.family, address: address,
                bridge: connection?["bridge"]?.string,
                state: isHeld ? connection?["state"]?.string : gone?.state,
                rssi: isHeld ? connection?["rssi"]?.integer : nil,
                reason: isHeld ? connection?["reason"]?.string : gone?.reason,
                isOnRoster: roster[address] != nil)
        }.sorted { ($0.name, $0.address) < ($1.name, $1.address) }
    }
}

extension [FleetDeviceRow] {
    /// The rows as lines of the output of `fleet devices`, below a header.
    package var table: [String] {
        var table = TextTable()
        table.add(["NAME", "FAMILY", "ADDRESS", "BRIDGE", "STATE", "RSSI", "REASON"])
        for row in self {
            table.add([
                row.name, row.family, row.address.description, row.bridge ?? "-", row.state ?? "-",
                row.rssi.map(String.init) ?? "-", row.reason ?? (row.isOnRoster ? "-" : "not on the roster"),
            ])
        }
        return table.lines()
    }
}
