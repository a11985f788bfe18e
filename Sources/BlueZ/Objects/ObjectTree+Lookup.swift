package import Bluetooth
package import DBus

extension ObjectTree {
    /// The device objects of an address, one for each adapter that knows the device.
    package func devices(_ address: Bluetooth.Address) -> [Device] {
        (places[address] ?? []).sorted().compactMap { devices[$0] }
    }

    /// The UUIDs of all services of a device: those in bluetoothd's list, which it may not export, and those on the
    /// bus.
    package func allServices(of device: ObjectPath) -> Set<UUID> {
        (devices[device]?.services ?? []).union(shownServices(of: device))
    }

    /// The UUIDs of the services of a device that are on the bus.
    package func shownServices(of device: ObjectPath) -> Set<UUID> {
        Set((attributes[device] ?? []).compactMap { services[$0]?.uuid })
    }

    /// The characteristics of a device that are on the bus, or replaced by `Battery1`.
    package func characteristicIDs(of device: ObjectPath) -> Set<CharacteristicID> {
        var found: Set<CharacteristicID> = batteries[device] == nil ? [] : [GattTable.batteryLevel]
        for path in attributes[device] ?? [] {
            if let id = characteristics[path].flatMap({ self.id($0) }) { found.insert(id) }
        }
        return found
    }

    /// Returns nil for a characteristic whose service is not yet known, since its ID includes the service.
    private func id(_ characteristic: GattCharacteristic) -> CharacteristicID? {
        services[characteristic.service].map {
            CharacteristicID(service: $0.uuid, uuid: characteristic.uuid)
        }
    }

    /// The GATT table of a device as far as it is on the bus. The first of two characteristics with the same ID counts.
    package func table(of device: ObjectPath) -> GattTable {
        var table = GattTable()
        for path in (attributes[device] ?? []).sorted() {
            if let descriptor = descriptors[path] {
                table.descriptors[descriptor.characteristic, default: []].append(descriptor)
            }
            guard let characteristic = characteristics[path], let id = id(characteristic),
                table.characteristics[id] == nil
            else { continue }
            table.characteristics[id] = characteristic
        }
        table.battery = batteries[device]
        return table
    }
}

/// The GATT table of one device.
package struct GattTable: Hashable, Sendable {
    package var characteristics: [CharacteristicID: GattCharacteristic] = [:]
    /// The descriptors by the path of their characteristic.
    package var descriptors: [ObjectPath: [GattDescriptor]] = [:]
    /// The charge in percent that BlueZ itself reads.
    package var battery: Int?

    package init() {}

    /// The battery level of the Battery service.
    package static let batteryLevel = CharacteristicID(service: 0x180F, uuid: 0x2A19)

    /// The characteristics with their properties. A battery level that BlueZ does not export counts as present, because
    /// `Battery1` replaces it. Before 5.56 BlueZ hid the whole service.
    package var properties: [CharacteristicID: CharacteristicProperties] {
        var all = characteristics.mapValues(\.properties)
        if battery != nil, all[Self.batteryLevel] == nil { all[Self.batteryLevel] = [.read, .notify] }
        return all
    }

    /// The largest ATT MTU that BlueZ reports; nil if it reports none.
    package var mtu: Int? { characteristics.values.compactMap(\.mtu).max() }
}
