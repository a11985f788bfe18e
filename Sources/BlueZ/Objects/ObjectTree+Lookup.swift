package import Bluetooth
package import DBus

extension ObjectTree {
    /// Returns the device objects of an address, one for each adapter that knows the device.
    package func devices(_ address: Bluetooth.Address) -> [Device] {
        (places[address] ?? []).sorted().compactMap { devices[$0] }
    }

    /// Returns the UUIDs of all services of a device: the services in bluetoothd's list, some of which it may not
    /// export, and the services on the bus.
    package func allServices(of device: ObjectPath) -> Set<UUID> {
        (devices[device]?.services ?? []).union(shownServices(of: device))
    }

    /// Returns the UUIDs of the services of a device that are on the bus.
    package func shownServices(of device: ObjectPath) -> Set<UUID> {
        Set((attributes[device] ?? []).compactMap { services[$0]?.uuid })
    }

    /// Returns the characteristics of a device that are on the bus, and the battery level if BlueZ exports it as
    /// `Battery1`.
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

    /// Returns the part of a device's GATT table that is on the bus. If two characteristics have the same ID, the first
    /// is used.
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

package struct GattTable: Hashable, Sendable {
    package var characteristics: [CharacteristicID: GattCharacteristic] = [:]
    /// The descriptors, by the object path of their characteristic.
    package var descriptors: [ObjectPath: [GattDescriptor]] = [:]
    /// The charge in percent, if BlueZ itself reads the battery service.
    package var battery: Int?

    package init() {}

    /// The characteristic Battery Level of the Battery service.
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
