import Bluetooth
import DBus
import VirtualDevices

extension Daemon {
    /// Creates an adapter's record of a device on its first advertisement.
    func makeRecord(_ key: DeviceKey, _ heard: Peripheral) -> DeviceRecord {
        let digits = heard.address.description.split(separator: ":").joined(separator: "_")
        var record = DeviceRecord(
            path: BlueZName.path(ofAdapter: key.adapter).appending("dev_" + digits), address: heard.address,
            hasRandomAddress: heard.hasRandomAddress, name: heard.advertisement.name,
            uuids: Set(heard.advertisement.services))
        record.appearance = heard.advertisement.appearance
        record.manufacturerData = heard.advertisement.manufacturerData
        record.serviceData = heard.advertisement.serviceData
        return record
    }

    /// Adds a device to the bus.
    mutating func add(_ record: DeviceRecord, _ key: DeviceKey) {
        devices[key] = record
        outputs.append(
            .added(
                record.path,
                [
                    Output.Interface(
                        name: BlueZName.device, properties: properties(of: record, adapter: key.adapter))
                ]))
    }

    /// Adds a device that was stored before the restart to the bus.
    mutating func recall(_ known: KnownDevice, on adapter: String) {
        guard let heard = air.world.peripherals.first(where: { $0.address == known.device }) else { return }
        let key = DeviceKey(adapter: adapter, name: heard.name)
        var record = makeRecord(key, heard)
        record.isTemporary = false
        record.isBonded = known.isBonded
        record.isTrusted = known.isTrusted
        let table = table(of: heard, record)
        record.uuids.formUnion(table.uuids)
        record.table = known.isBonded ? table : nil
        add(record, key)
    }

    /// Removes a device from the bus, its GATT objects first.
    mutating func remove(_ key: DeviceKey, forgetting: Bool = true) {
        guard let record = devices[key] else { return }
        unexport(key)
        devices[key] = nil
        if forgetting { staleCaches.remove(key.name) }
        // The timer for the next advertisement continues, because a discovery that runs can find the device again
        // immediately.
        waits.cancelAll { $0.key == key && $0 != .sighting(key) }
        outputs.append(.removed(record.path, nil))
        if forgetting, !record.isTemporary { remember() }
    }

    /// Removes a temporary device whose last advertisement is old, unless it is in use.
    mutating func vanish(_ key: DeviceKey) {
        guard let record = devices[key], record.isTemporary else { return }
        guard record.link == .down else {
            return waits.set(.temporary(key), at: now + options.temporaryTimeout)
        }
        remove(key)
    }

    /// Stores the devices that are kept across a restart.
    mutating func remember() {
        var known: [KnownDevice] = remembered.filter { old in
            !adapters.contains { $0.address == old.adapter && $0.isPresent }
        }
        for (key, record) in devices where !record.isTemporary {
            guard let adapter = adapters.first(where: { $0.name == key.adapter }) else { continue }
            known.append(
                KnownDevice(
                    adapter: adapter.address, device: record.address, isBonded: record.isBonded,
                    isTrusted: record.isTrusted))
        }
        known.sort { $0.line < $1.line }
        guard known != remembered else { return }
        remembered = known
        outputs.append(.remember(known))
    }

    /// Sets a writable property of a device.
    mutating func set(_ property: String, _ value: Value, of key: DeviceKey) -> DBusError? {
        switch (property, value) {
        case ("Trusted", .bool(let isTrusted)):
            devices[key]?.isTrusted = isTrusted
            remember()
        case ("Blocked", .bool(let isBlocked)):
            devices[key]?.isBlocked = isBlocked
            if isBlocked, devices[key]?.isConnected == true { loseLink(key) }
        case ("Alias", .string(let text)): devices[key]?.alias = text.isEmpty ? nil : text
        default: return BlueZError.invalidArguments
        }
        signal(property, of: key)
        return nil
    }

    /// Makes a temporary device permanent.
    mutating func keep(_ key: DeviceKey) {
        devices[key]?.isTemporary = false
        waits.cancel(.temporary(key))
        remember()
    }

    /// Removes a device at a client's request. A connection is closed first.
    mutating func removeDevice(_ call: Call, on index: Int) {
        let path = call.arguments.first?.objectPath
        let key = devices.first { $0.key.adapter == adapters[index].name && $0.value.path == path }?.key
        guard let key, let record = devices[key] else {
            return outputs.append(.failure(call.number, BlueZError.doesNotExist))
        }
        cancelPairing(key, BlueZError.authenticationCanceled)
        guard record.isConnected else {
            failConnecting(key, BlueZError.connectCanceled)
            remove(key)
            return outputs.append(.reply(call.number, []))
        }
        // The call is answered like `Disconnect`: after the connection is closed, and before the objects are removed.
        devices[key]?.isToBeForgotten = true
        devices[key]?.disconnectCalls.append(call.number)
        beginClosing(key)
    }
}

extension Daemon.Wait {
    /// The device for which the daemon waits; nil if the wait concerns no device.
    var key: DeviceKey? {
        switch self {
        case .start, .powerOn: nil
        case .sighting(let key), .temporary(let key), .connectTimeout(let key), .established(let key),
            .resolved(let key), .exported(let key), .closed(let key), .supervision(let key),
            .pairing(let key):
            key
        }
    }
}
