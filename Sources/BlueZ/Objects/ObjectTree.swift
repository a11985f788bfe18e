package import Bluetooth
package import DBus

/// The current objects of BlueZ: the answer of `GetManagedObjects`, updated by signals. A pure value.
package struct ObjectTree: Hashable, Sendable {
    package private(set) var adapters: [ObjectPath: Adapter] = [:]
    package private(set) var devices: [ObjectPath: Device] = [:]
    package private(set) var services: [ObjectPath: GattService] = [:]
    package private(set) var characteristics: [ObjectPath: GattCharacteristic] = [:]
    package private(set) var descriptors: [ObjectPath: GattDescriptor] = [:]
    /// The paths of the services, characteristics and descriptors of each device.
    package private(set) var attributes: [ObjectPath: Set<ObjectPath>] = [:]
    /// The paths of the device objects with each address: a device has one object for each adapter that knows it.
    package private(set) var places: [Bluetooth.Address: Set<ObjectPath>] = [:]
    /// The charge in percent of devices whose battery service BlueZ itself reads.
    package private(set) var batteries: [ObjectPath: Int] = [:]

    /// The services and the companies whose advertised data is kept; nil for all. Unused data is dropped because many
    /// devices change it all the time.
    package var usedServices: Set<UUID>?
    package var usedCompanies: Set<UInt16>?

    /// A change caused by a signal.
    package enum Change: Hashable, Sendable {
        case adapter(was: Adapter?, now: Adapter?)
        case device(was: Device?, now: Device?)
        /// A change in the GATT table of the device.
        case gatt(device: ObjectPath)
        case battery(device: ObjectPath, percent: Int?)

        var isOfAdapter: Bool {
            if case .adapter = self { true } else { false }
        }
    }

    package init() {}

    /// Applies `InterfacesAdded`, or one object of `GetManagedObjects`.
    package mutating func add(_ path: ObjectPath, _ interfaces: [String: [String: Value]]) -> [Change] {
        var changes: [Change] = []
        for (interface, properties) in interfaces.sorted(by: { $0.key < $1.key }) {
            if let change = add(path, interface, properties) { changes.append(change) }
        }
        return changes
    }

    /// Applies `InterfacesRemoved`.
    package mutating func remove(_ path: ObjectPath, _ interfaces: [String]) -> [Change] {
        interfaces.sorted().flatMap { remove(path, $0) }
    }

    /// Applies `PropertiesChanged`; returns nil if no stored value changed.
    package mutating func update(
        _ path: ObjectPath, _ interface: String, _ changed: [String: Value], invalidated: [String]
    ) -> Change? {
        switch interface {
        case Names.adapter:
            guard let was = adapters[path] else { return nil }
            var now = was
            now.apply(changed)
            adapters[path] = now
            return was == now ? nil : .adapter(was: was, now: now)
        case Names.device:
            guard let was = devices[path] else { return nil }
            var now = was
            now.apply(changed, invalidated: invalidated)
            now.keep(usedServices, usedCompanies)
            devices[path] = now
            // A repeated RSSI is a change even with the same value: the device advertised.
            return was == now && changed["RSSI"] == nil ? nil : .device(was: was, now: now)
        case Names.characteristic:
            guard var now = characteristics[path] else { return nil }
            now.apply(changed)
            guard now != characteristics[path] else { return nil }
            characteristics[path] = now
            return .gatt(device: now.device)
        case Names.battery:
            guard let percent = changed["Percentage"]?.integer else { return nil }
            batteries[path] = percent
            return .battery(device: path, percent: percent)
        default:
            return nil
        }
    }

    private mutating func add(_ path: ObjectPath, _ interface: String, _ properties: [String: Value])
        -> Change?
    {
        switch interface {
        case Names.adapter:
            let was = adapters[path]
            let now = Adapter(path: path, properties: properties)
            adapters[path] = now
            return .adapter(was: was, now: now)
        case Names.device:
            guard var now = Device(path: path, properties: properties) else { return nil }
            now.keep(usedServices, usedCompanies)
            let was = devices.updateValue(now, forKey: path)
            if let was, was.address != now.address { leave(path, of: was.address) }
            places[now.address, default: []].insert(path)
            return .device(was: was, now: now)
        case Names.gattService:
            guard let service = GattService(path: path, properties: properties) else { return nil }
            services[path] = service
            attributes[service.device, default: []].insert(path)
            return .gatt(device: service.device)
        case Names.characteristic:
            guard var characteristic = GattCharacteristic(path: path, properties: properties) else {
                return nil
            }
            // All characteristics of a service share one string for its path, to save memory.
            if let service = services[characteristic.service] { characteristic.service = service.path }
            characteristics[path] = characteristic
            attributes[characteristic.device, default: []].insert(path)
            return .gatt(device: characteristic.device)
        case Names.descriptor:
            guard let descriptor = GattDescriptor(path: path, properties: properties) else { return nil }
            descriptors[path] = descriptor
            attributes[descriptor.device, default: []].insert(path)
            return .gatt(device: descriptor.device)
        case Names.battery:
            guard let percent = properties["Percentage"]?.integer else { return nil }
            batteries[path] = percent
            return .battery(device: path, percent: percent)
        default:
            return nil
        }
    }

    private mutating func remove(_ path: ObjectPath, _ interface: String) -> [Change] {
        switch interface {
        case Names.adapter:
            guard let was = adapters.removeValue(forKey: path) else { return [] }
            let lost = devices.keys.filter { $0.isInside(path) }.sorted()
            return lost.flatMap { remove($0, Names.device) } + [.adapter(was: was, now: nil)]
        case Names.device:
            guard let was = devices.removeValue(forKey: path) else { return [] }
            leave(path, of: was.address)
            removeGatt(of: path)
            batteries[path] = nil
            return [.device(was: was, now: nil)]
        case Names.gattService:
            return attributeRemoved(path, of: services.removeValue(forKey: path)?.device)
        case Names.characteristic:
            return attributeRemoved(path, of: characteristics.removeValue(forKey: path)?.device)
        case Names.descriptor:
            return attributeRemoved(path, of: descriptors.removeValue(forKey: path)?.device)
        case Names.battery:
            return batteries.removeValue(forKey: path) == nil ? [] : [.battery(device: path, percent: nil)]
        default:
            return []
        }
    }

    private mutating func attributeRemoved(_ path: ObjectPath, of device: ObjectPath?) -> [Change] {
        guard let device else { return [] }
        attributes[device]?.remove(path)
        if attributes[device]?.isEmpty == true { attributes[device] = nil }
        return [.gatt(device: device)]
    }

    private mutating func removeGatt(of device: ObjectPath) {
        for path in attributes.removeValue(forKey: device) ?? [] {
            services[path] = nil
            characteristics[path] = nil
            descriptors[path] = nil
        }
    }

    private mutating func leave(_ path: ObjectPath, of address: Bluetooth.Address) {
        places[address]?.remove(path)
        if places[address]?.isEmpty == true { places[address] = nil }
    }
}
