import BlueZ
import Bluetooth
import DeviceKit
import JSON
import Terminal

/// One device, as `devices` and `scan` show it: what the host knows of it, and what the bridge does.
package struct DeviceRow: Hashable, Sendable {
    /// How the device stands to the host.
    enum Link: String, Hashable, Sendable {
        case connected
        /// Heard lately.
        case near
        /// Remembered from before.
        case known
        /// The host never met it.
        case unknown
    }

    /// How the device stands to the bridge.
    enum Standing: String, Hashable, Sendable {
        /// It is in the configuration.
        case configured
        /// It joined over MQTT.
        case joined
        /// A user disconnected it (`disconnect`); it stays so until `connect`.
        case released
    }

    var address: Bluetooth.Address
    /// Its topic; nil where the bridge gave it none.
    var name: String?
    /// The families that it may be of, the best one first; of a device that the bridge knows, its own first.
    var families: [String]
    /// The family that it is of, or would be of; nil where none recognizes it.
    var family: String? { families.first }
    var standing: Standing?
    var link: Link
    /// In dBm; nil where it is not heard.
    var rssi: Int?
    /// In percent; nil where BlueZ does not read it.
    var battery: Int?
    var isPaired = false
    var adapter: String?
    /// What it calls itself.
    var title: String?

    /// A device that the bridge knows and the host may not.
    init(_ entry: DeviceBook.Entry) {
        (address, name, families, standing) = (entry.address, entry.name, [entry.family], entry.standing)
        link = .unknown
    }

    /// A device that the host knows and the bridge may not.
    init(_ device: KnownDevice, _ entry: DeviceBook.Entry?, _ families: [any DeviceFamily]) {
        let advertisement = device.advertisement
        address = advertisement.address
        name = entry?.name
        let own = entry.map { [$0.family] } ?? []
        self.families = own + families.recognizing(advertisement).map(\.name).filter { !own.contains($0) }
        standing = entry?.standing
        link = advertisement.isConnected ? .connected : advertisement.rssi != nil ? .near : .known
        rssi = advertisement.rssi
        battery = device.battery
        isPaired = advertisement.isPaired
        adapter = device.adapter
        title = advertisement.name
    }

    /// Those of the bridge first, by name; then those it could have, then all others; the loudest first.
    static func precedes(_ left: DeviceRow, _ right: DeviceRow) -> Bool {
        func rank(_ row: DeviceRow) -> Int { row.standing != nil ? 0 : row.family != nil ? 1 : 2 }
        if rank(left) != rank(right) { return rank(left) < rank(right) }
        if left.standing != nil, left.name != right.name { return (left.name ?? "") < (right.name ?? "") }
        if left.rssi != right.rssi { return (left.rssi ?? -1000) > (right.rssi ?? -1000) }
        return left.address < right.address
    }

    /// One line for a program; null for what is not known.
    package var line: String {
        func text(_ value: String?) -> JSON.Value { value.map { .string($0) } ?? .null }
        func number(_ value: Int?) -> JSON.Value { value.map { .integer($0) } ?? .null }
        return JSON.Value.object([
            "address": .string(address.description), "name": text(name), "family": text(family),
            "families": .array(families.map { .string($0) }), "bridge": text(standing?.rawValue),
            "link": .string(link.rawValue), "rssi": number(rssi),
            "battery": number(battery), "paired": .bool(isPaired), "adapter": text(adapter),
            "bluetooth_name": text(title),
        ]).description
    }
}

extension [DeviceRow] {
    /// The columns of `devices`.
    package var table: [String] {
        var table = TextTable()
        table.add([
            "NAME", "FAMILY", "ADDRESS", "LINK", "SIGNAL", "BATTERY", "BRIDGE", "BOND", "ADAPTER",
            "CALLS ITSELF",
        ])
        for row in self {
            table.add([
                row.name ?? "-", row.standing == nil ? row.familyText : row.family ?? "-",
                row.address.description, row.link.rawValue, row.signal,
                row.battery.map { "\($0) %" } ?? "-", row.standing?.rawValue ?? "-",
                row.isPaired ? "yes" : "-", row.adapter ?? "-", row.title ?? "-",
            ])
        }
        return table.lines()
    }

    /// The columns of `scan`.
    package var nearby: [String] {
        var table = TextTable()
        table.add(["FAMILY", "ADDRESS", "SIGNAL", "BRIDGE", "CALLS ITSELF"])
        for row in self {
            let bridge =
                row.standing.map { "\($0.rawValue) as \(row.name ?? "-")" }
                ?? (row.family == nil ? "-" : "new")
            table.add([
                row.familyText, row.address.description, row.signal, bridge, row.title ?? "-",
            ])
        }
        return table.lines()
    }
}

extension DeviceRow {
    fileprivate var familyText: String { families.isEmpty ? "-" : families.joined(separator: ", ") }
    fileprivate var signal: String { rssi.map { "\($0) dBm" } ?? "-" }
}
