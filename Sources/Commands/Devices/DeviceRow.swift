import BlueZ
import Bluetooth
import DeviceKit
import JSON
import Terminal

/// A device in the output of `devices` and `scan`, with its state on the host and in the bridge.
package struct DeviceRow: Hashable, Sendable {
    /// Whether and how the host knows the device.
    enum Link: String, Hashable, Sendable {
        case connected
        /// The device is in range.
        case near
        /// The host has seen the device earlier, and it is not in range.
        case known
        /// The host has never seen the device.
        case unknown
    }

    /// Whether and how the device belongs to the bridge.
    enum Standing: String, Hashable, Sendable {
        /// The device is in the configuration.
        case configured
        /// The device joined over MQTT.
        case joined
        /// A user disconnected the device with the request `disconnect`. It stays disconnected until the request
        /// `connect`.
        case released
    }

    var address: Bluetooth.Address
    /// The device's name, which is the root of its topics; nil if the bridge has not named it.
    var name: String?
    /// The families that the device may belong to, the best match first. For a device of the bridge, its own family is
    /// first.
    var families: [String]
    /// The family of the device, or the best match; nil if no family recognizes it.
    var family: String? { families.first }
    var standing: Standing?
    var link: Link
    /// The signal strength in dBm; nil if the device is not in range.
    var rssi: Int?
    /// The charge of the battery in percent; nil if BlueZ does not provide it.
    var battery: Int?
    var isPaired = false
    var adapter: String?
    /// The name that the device advertises.
    var title: String?

    /// Creates a row for a device of the bridge that the host may not have seen.
    init(_ entry: DeviceBook.Entry) {
        (address, name, families, standing) = (entry.address, entry.name, [entry.family], entry.standing)
        link = .unknown
    }

    /// Creates a row for a device of the host that the bridge may not have.
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

    /// Compares the order of two rows: devices of the bridge first, by name; then devices that a family recognizes;
    /// then all other devices. Within the last two groups, the device with the strongest signal is first.
    static func precedes(_ left: DeviceRow, _ right: DeviceRow) -> Bool {
        func rank(_ row: DeviceRow) -> Int { row.standing != nil ? 0 : row.family != nil ? 1 : 2 }
        if rank(left) != rank(right) { return rank(left) < rank(right) }
        if left.standing != nil, left.name != right.name { return (left.name ?? "") < (right.name ?? "") }
        if left.rssi != right.rssi { return (left.rssi ?? -1000) > (right.rssi ?? -1000) }
        return left.address < right.address
    }

    /// The row as one line of JSON, for programs; unknown values are null.
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
    /// The rows as lines of the output of `devices`, below a header.
    package var table: [String] {
        var table = TextTable()
        table.add([
            "NAME", "FAMILY", "ADDRESS", "LINK", "SIGNAL", "BATTERY", "BRIDGE", "BOND", "ADAPTER",
            "BLUETOOTH NAME",
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

    /// The rows as lines of the output of `scan`, below a header.
    package var nearby: [String] {
        var table = TextTable()
        table.add(["FAMILY", "ADDRESS", "SIGNAL", "BRIDGE", "BLUETOOTH NAME"])
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
