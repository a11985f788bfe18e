import Bluetooth
import DBus

/// What the simulated daemon knows about one adapter.
struct AdapterRecord: Sendable {
    let name: String
    let address: Bluetooth.Address
    /// Whether the adapter is plugged in and on the bus.
    var isPresent = false
    var isPowered = false
    var isDiscoverable = false
    var isPairable = true
    var alias = "BlueZ 5.66"
    /// The number of connections that the adapter supports; nil for no limit.
    var limit: Int?
    /// The discovery session of each client, by the client's unique bus name.
    var sessions: [String: DiscoverySession] = [:]

    var path: ObjectPath { BlueZName.path(ofAdapter: name) }

    /// The filter with which discovery was last started.
    var lastFilter: DiscoveryFilter?
    /// Whether a simulated fault stops the reception of advertisements until discovery starts with a different filter.
    var isDeaf = false

    var isDiscovering: Bool { sessions.values.contains { $0.isActive } }

    /// Whether every discovering client has set a filter. If so, BlueZ signals the signal strength of every advertising
    /// report.
    var isFiltered: Bool { sessions.values.filter(\.isActive).allSatisfy { $0.filter != nil } }

    init(name: String, address: Bluetooth.Address) {
        self.name = name
        self.address = address
    }
}

/// The discovery session of one client.
struct DiscoverySession: Hashable, Sendable {
    var filter: DiscoveryFilter?
    var isActive = false
}

/// A client's discovery filter (`SetDiscoveryFilter`).
struct DiscoveryFilter: Hashable, Sendable {
    var uuids: [UUID] = []
    var rssi: Int16?
    var isClassicOnly = false
    var pattern: String?

    /// Parses a filter; nil if a key is unknown or a value is invalid, which BlueZ rejects.
    init?(_ options: [String: Value]) {
        for (key, value) in options {
            switch (key, value) {
            case ("UUIDs", .array(let elements, of: .string)):
                let read = elements.compactMap { $0.string.flatMap { UUID($0[...]) } }
                guard read.count == elements.count else { return nil }
                uuids = read
            case ("RSSI", .int16(let level)): rssi = level
            case ("Pathloss", .uint16): break
            case ("Transport", .string("auto")), ("Transport", .string("le")): isClassicOnly = false
            case ("Transport", .string("bredr")): isClassicOnly = true
            case ("DuplicateData", .bool), ("Discoverable", .bool): break
            case ("Pattern", .string(let text)): pattern = text
            default: return nil
            }
        }
        if rssi != nil, options["Pathloss"] != nil { return nil }
    }

    /// Whether the filter admits the device of an advertising report.
    func admits(name: String, address: Bluetooth.Address, services: [UUID], rssi heard: Int16) -> Bool {
        guard !isClassicOnly, rssi.map({ heard >= $0 }) ?? true else { return false }
        if let pattern, !name.hasPrefix(pattern), !address.description.hasPrefix(pattern) { return false }
        return uuids.isEmpty || services.contains { uuids.contains($0) }
    }
}
