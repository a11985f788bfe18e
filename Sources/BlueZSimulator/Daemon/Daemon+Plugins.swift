import Bluetooth
import DBus
import VirtualDevices

extension Daemon {
    private static let batteryLevel = CharacteristicID(service: 0x180F, uuid: 0x2A19)

    /// Renews the previous subscriptions. The battery plugin reads and subscribes to the battery level.
    mutating func startPlugins(_ key: DeviceKey) {
        guard let record = devices[key] else { return }
        for index in record.characteristics.indices where !record.characteristics[index].subscribers.isEmpty {
            renew(key, index)
        }
        guard let index = record.index(of: Self.batteryLevel), let table = record.table else { return }
        let properties = table.characteristics[index].properties
        if properties.contains(.notify) {
            let isNew = devices[key]?.characteristics[index].isWanted == false
            devices[key]?.characteristics[index].isHeldByPlugin = true
            if isNew { stimulate(.subscribed(Self.batteryLevel, true), of: key.name) }
        }
        guard properties.contains(.read) else { return }
        let number = makeNumber()
        requests[number] = .battery(key)
        stimulate(.read(Self.batteryLevel), of: key.name, request: number)
    }

    private static let classicInput: UUID = 0x1124

    /// Requests authorization for the input service of Bluetooth Classic as soon as the device is connected. For a
    /// trusted device, BlueZ does not call the agent (BlueZ 5.66, `process_auth_queue` in src/adapter.c).
    mutating func authorizeInput(_ key: DeviceKey) {
        guard let record = devices[key], record.uuids.contains(Self.classicInput), record.authorization == nil
        else { return }
        guard !record.isTrusted else { return reportInput(key, isGranted: true) }
        guard let agent = agent(for: nil) else { return reportInput(key, isGranted: false) }
        let question = makeNumber()
        devices[key]?.authorization = question
        outputs.append(
            .askAgent(
                question,
                .init(
                    owner: agent.owner, path: agent.path, member: "AuthorizeService",
                    arguments: [.objectPath(record.path), .string(Self.classicInput.description)])))
    }

    /// Reports whether a device may use the input service of Bluetooth Classic, so that it can type.
    mutating func reportInput(_ key: DeviceKey, isGranted: Bool) {
        outputs.append(
            .report(
                Report(
                    device: key.name, time: now,
                    event: .device(.other(event: "input", ["granted": isGranted ? "true" : "false"])))))
    }

    /// Stores the level that the battery plugin read or received.
    mutating func setBattery(_ level: UInt8, of key: DeviceKey) {
        guard let record = devices[key], record.link == .up, level <= 100, record.battery != level else {
            return
        }
        devices[key]?.battery = level
        let percentage = Output.Property("Percentage", .byte(level))
        if record.battery == nil {
            outputs.append(
                .added(record.path, [Output.Interface(name: BlueZName.battery, properties: [percentage])]))
        } else {
            outputs.append(.changed(record.path, BlueZName.battery, [percentage]))
        }
    }

    /// Removes `Battery1` from the bus.
    mutating func removeBattery(_ key: DeviceKey) {
        guard let record = devices[key], record.battery != nil else { return }
        devices[key]?.battery = nil
        outputs.append(.removed(record.path, [BlueZName.battery]))
    }
}
