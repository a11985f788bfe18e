package import Bluetooth
package import DBus

/// A device of one adapter: BlueZ has one object for each pair of adapter and device.
package struct Device: Hashable, Sendable {
    package let path: ObjectPath
    package var adapter: ObjectPath
    package var address: Bluetooth.Address
    package var name: String?
    /// Nil for an alias that BlueZ generates for a device without a name: the address with dashes.
    package var alias: String?
    package var services: Set<UUID> = []
    package var manufacturerData: [UInt16: [UInt8]] = [:]
    package var serviceData: [UUID: [UInt8]] = [:]
    package var rssi: Int?
    package var isPaired = false
    package var isTrusted = false
    package var isConnected = false
    package var isResolved = false

    /// Returns nil for an object without an address. BlueZ creates no such objects.
    package init?(path: ObjectPath, properties: [String: Value]) {
        guard let address = properties["Address"]?.string.flatMap({ Bluetooth.Address($0) }) else {
            return nil
        }
        self.path = path
        self.address = address
        adapter = properties["Adapter"]?.objectPath ?? path.parent ?? .root
        apply(properties, invalidated: [])
    }

    package mutating func apply(_ properties: [String: Value], invalidated: [String]) {
        for (name, value) in properties {
            switch name {
            case "Name": self.name = value.string
            case "Alias": alias = value.string.flatMap { Self.isGenerated($0) ? nil : $0 }
            case "UUIDs": services = Set(value.strings?.compactMap { UUID($0) } ?? [])
            case "ManufacturerData": manufacturerData = Self.manufacturerData(value)
            case "ServiceData": serviceData = Self.serviceData(value)
            // 127 means "not available" (Core Specification, Vol 4, Part E, 7.7.65.2).
            case "RSSI": rssi = value.integer.flatMap { $0 == 127 ? nil : $0 }
            case "Paired": isPaired = value.bool ?? false
            case "Trusted": isTrusted = value.bool ?? false
            case "Connected": isConnected = value.bool ?? false
            case "ServicesResolved": isResolved = value.bool ?? false
            default: break
            }
        }
        for name in invalidated {
            switch name {
            case "RSSI": rssi = nil
            case "Name": self.name = nil
            case "UUIDs": services = []
            case "ManufacturerData": manufacturerData = [:]
            case "ServiceData": serviceData = [:]
            default: break
            }
        }
    }

    private static func manufacturerData(_ value: Value) -> [UInt16: [UInt8]] {
        guard case .dictionary(let entries, key: _, value: _) = value else { return [:] }
        let pairs = entries.compactMap { entry -> (UInt16, [UInt8])? in
            guard let company = entry.key.integer.flatMap(UInt16.init(exactly:)),
                let data = entry.value.unwrapped.bytes
            else { return nil }
            return (company, data)
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func serviceData(_ value: Value) -> [UUID: [UInt8]] {
        guard case .dictionary(let entries, key: _, value: _) = value else { return [:] }
        let pairs = entries.compactMap { entry -> (UUID, [UInt8])? in
            guard let service = entry.key.string.flatMap({ UUID($0) }), let data = entry.value.unwrapped.bytes
            else { return nil }
            return (service, data)
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Removes the advertised data of all services and companies except these; nil keeps all.
    package mutating func keep(_ services: Set<UUID>?, _ companies: Set<UInt16>?) {
        if let services, !serviceData.isEmpty {
            serviceData = serviceData.filter { services.contains($0.key) }
        }
        if let companies, !manufacturerData.isEmpty {
            manufacturerData = manufacturerData.filter { companies.contains($0.key) }
        }
    }

    private static func isGenerated(_ alias: String) -> Bool {
        alias.utf8.count == 17 && Bluetooth.Address(alias.replacing(dash: ":")) != nil
    }

    /// The device's name; nil if it has none.
    package var displayName: String? { name ?? alias }

    package var advertisement: Advertisement {
        Advertisement(
            address: address, name: displayName, services: services, manufacturerData: manufacturerData,
            serviceData: serviceData, rssi: rssi, isPaired: isPaired, isConnected: isConnected)
    }
}

extension String {
    fileprivate func replacing(dash separator: Character) -> String {
        String(map { $0 == "-" ? separator : $0 })
    }
}
