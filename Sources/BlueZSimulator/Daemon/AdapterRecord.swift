import Bluetooth
import DBus

/// What the daemon knows of one adapter.
struct AdapterRecord: Sendable {
    let name: String
    let address: Bluetooth.Address
    /// Whether it is plugged in and on the bus.
    var isPresent = false
    var isPowered = false
    var isDiscoverable = false
    var isPairable = true
    var alias = "BlueZ 5.66"
    /// How many links it bears; nil for any number.
    var limit: Int?
    /// What each client wants to discover, by its unique name.
    var sessions: [String: DiscoverySession] = [:]

    var path: ObjectPath { BlueZName.path(ofAdapter: name) }

    /// The filter that discovery was begun with last.
    var lastFilter: DiscoveryFilter?
    /// Whether it hears nothing, until discovery is begun with another filter.
    var isDeaf = false

    /// Whether any client discovers.
    var isDiscovering: Bool { sessions.values.contains { $0.isActive } }

    /// Whether every client that discovers has set a filter: then every report is signalled.
    var isFiltered: Bool { sessions.values.filter(\.isActive).allSatisfy { $0.filter != nil } }

    init(name: String, address: Bluetooth.Address) {
        self.name = name
        self.address = address
    }
}

/// What one client wants to discover.
struct DiscoverySession: Hashable, Sendable {
    var filter: DiscoveryFilter?
    var isActive = false
}

/// What a client wants to hear of (`SetDiscoveryFilter`).
struct DiscoveryFilter: Hashable, Sendable {
    var uuids: [UUID] = []
    var rssi: Int16?
    var isClassicOnly = false
    var pattern: String?

    /// Reads a filter; nil if a key is unknown or a value is wrong, as BlueZ refuses it.
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

    /// Tells whether a device that is heard is to be told of.
    func admits(name: String, address: Bluetooth.Address, services: [UUID], rssi heard: Int16) -> Bool {
        guard !isClassicOnly, rssi.map({ heard >= $0 }) ?? true else { return false }
        if let pattern, !name.hasPrefix(pattern), !address.description.hasPrefix(pattern) { return false }
        return uuids.isEmpty || services.contains { uuids.contains($0) }
    }
}
