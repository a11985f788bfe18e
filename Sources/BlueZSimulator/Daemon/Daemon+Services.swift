import Bluetooth
import DBus
import VirtualDevices

extension Daemon {
    /// Completes the discovery of services.
    mutating func resolve(_ key: DeviceKey) {
        guard let record = devices[key], record.isConnected, let peripheral = air.world.peripheral(key.name)
        else {
            return
        }
        let table = table(of: peripheral, record)
        // If the table differs from the stored table, all objects are removed and added again.
        if table != record.table, record.isExported { unexport(key) }
        let isFirst = devices[key]?.isExported != true
        let uuids = record.uuids.union(table.uuids)
        devices[key]?.table = table
        devices[key]?.uuids = uuids
        devices[key]?.areServicesResolved = true
        if isFirst, options.servicesLate == nil { export(key) }
        if !isFirst {
            setMTU(record.mtu, of: key)
            startPlugins(key)
            settle()
        }
        var changed: [String] = []
        if uuids != record.uuids { changed.append("UUIDs") }
        // After Service Changed (the GATT procedure), `ServicesResolved` is already true and is not signaled again.
        if !record.areServicesResolved { changed.append("ServicesResolved") }
        if isFirst, table.hasInput { changed.append("WakeAllowed") }
        if !changed.isEmpty { signal(changed, of: key) }
        if isFirst, let delay = options.servicesLate { waits.set(.exported(key), at: now + delay) }
        if !record.isBonded, table.hasInput {
            // The input plugin requires an encrypted connection.
            beginPairing(key, DeviceRecord.Pairing(call: nil, sender: nil, question: nil))
        }
        authorizeInput(key)
    }

    /// Adds the services to the bus and starts the plugins.
    mutating func export(_ key: DeviceKey) {
        guard let record = devices[key], record.isConnected, !record.isExported, let table = record.table
        else {
            return
        }
        devices[key]?.isExported = true
        devices[key]?.characteristics = table.characteristics.map { CharacteristicRecord($0.id) }
        for service in table.services where !service.isClaimed {
            add(
                service.path, BlueZName.gattService,
                [
                    .init("UUID", .string(service.uuid.description)),
                    .init("Device", .objectPath(record.path)), .init("Primary", .bool(true)),
                    .init("Includes", .objectPaths([])),
                ])
            for characteristic in table.characteristics[service.characteristics] {
                export(characteristic, of: service, mtu: record.mtu)
            }
        }
        startPlugins(key)
    }

    private mutating func export(
        _ characteristic: AttributeTable.Characteristic, of service: AttributeTable.Service, mtu: UInt16
    ) {
        let properties = characteristic.properties
        let isNotifying = characteristic.configuration != nil
        add(
            characteristic.path, BlueZName.characteristic,
            [
                .init("UUID", .string(characteristic.id.uuid.description)),
                .init("Service", .objectPath(service.path)), .init("Value", .bytes([])),
                .init("Notifying", isNotifying ? .bool(false) : nil),
                .init("Flags", .strings(Self.flags(properties))),
                .init("WriteAcquired", properties.contains(.writeWithoutResponse) ? .bool(false) : nil),
                .init("NotifyAcquired", properties.contains(.notify) ? .bool(false) : nil),
                .init("MTU", .uint16(mtu)),
            ])
        guard let configuration = characteristic.configuration else { return }
        add(
            configuration, BlueZName.descriptor,
            [
                .init("UUID", .string(UUID(0x2902).description)),
                .init("Characteristic", .objectPath(characteristic.path)), .init("Value", .bytes([])),
            ])
    }

    private mutating func add(_ path: ObjectPath, _ interface: String, _ properties: [Output.Property]) {
        outputs.append(.added(path, [Output.Interface(name: interface, properties: properties)]))
    }

    /// Sets the MTU property of the characteristics, which BlueZ never signals; nil without a connection.
    mutating func setMTU(_ mtu: UInt16?, of key: DeviceKey) {
        guard let record = devices[key], record.isExported, let table = record.table else { return }
        for service in table.services where !service.isClaimed {
            for characteristic in table.characteristics[service.characteristics] {
                outputs.append(
                    .changed(
                        characteristic.path, BlueZName.characteristic, [.init("MTU", mtu.map { .uint16($0) })]
                    ))
            }
        }
    }

    /// Removes the services from the bus, inner objects first.
    mutating func unexport(_ key: DeviceKey) {
        guard let record = devices[key], record.isExported, let table = record.table else { return }
        for channel in channels.filter({ $0.value.key == key }).map(\.key).sorted() {
            outputs.append(.closeChannel(channel))
            channels[channel] = nil
        }
        for service in table.services where !service.isClaimed {
            for characteristic in table.characteristics[service.characteristics] {
                if let configuration = characteristic.configuration {
                    outputs.append(.removed(configuration, nil))
                }
                outputs.append(.removed(characteristic.path, nil))
            }
            outputs.append(.removed(service.path, nil))
        }
        devices[key]?.isExported = false
        devices[key]?.characteristics = []
        devices[key]?.table = nil
    }

    /// The names of a characteristic's properties, in BlueZ's order.
    static func flags(_ properties: CharacteristicProperties) -> [String] {
        let words: [(CharacteristicProperties, String)] = [
            (.read, "read"), (.writeWithoutResponse, "write-without-response"), (.write, "write"),
            (.notify, "notify"), (.indicate, "indicate"),
        ]
        return words.filter { properties.contains($0.0) }.map(\.1)
    }
}
