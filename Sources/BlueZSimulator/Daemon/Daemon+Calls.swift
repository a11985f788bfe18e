import Bluetooth
import DBus

extension Daemon {
    /// The object of the daemon that a path on the bus names.
    enum Target: Hashable {
        case root
        case adapter(Int)
        case device(DeviceKey)
        /// A characteristic, by its index.
        case characteristic(DeviceKey, Int)
        /// The configuration descriptor of a characteristic.
        case configuration(DeviceKey, Int)
    }

    /// Returns the object at a path; nil if there is none.
    func target(_ path: ObjectPath) -> Target? {
        if path == BlueZName.root { return .root }
        if let index = adapters.firstIndex(where: { $0.isPresent && $0.path == path }) {
            return .adapter(index)
        }
        guard let (key, record) = devices.first(where: { path.isInside($0.value.path) }) else { return nil }
        if path == record.path { return .device(key) }
        guard record.isExported, let table = record.table else { return nil }
        for (index, characteristic) in table.characteristics.enumerated() {
            if characteristic.path == path { return .characteristic(key, index) }
            if characteristic.configuration == path { return .configuration(key, index) }
        }
        return nil
    }

    /// Answers a call, immediately or later.
    mutating func answer(_ call: Call) {
        guard !isStruck(call) else { return }
        switch (target(call.path), call.interface) {
        case (.root, BlueZName.agentManager): give(call, manageAgents(call))
        case (.adapter(let index), BlueZName.adapter): answerAdapter(call, index)
        case (.device(let key), BlueZName.device): answerDevice(call, key)
        case (.characteristic(let key, let index), BlueZName.characteristic):
            answerCharacteristic(call, key, index)
        case (.configuration(let key, let index), BlueZName.descriptor):
            give(call, configure(call, key, index))
        case (.adapter(let index), "Set"):
            give(call, set(call.member, call.arguments[0], of: index))
        case (.device(let key), "Set"):
            give(call, set(call.member, call.arguments[0], of: key))
        default: give(call, .failure(BlueZError.notSupported))
        }
    }

    private mutating func answerAdapter(_ call: Call, _ index: Int) {
        switch call.member {
        case "RemoveDevice": removeDevice(call, on: index)
        case "GetDiscoveryFilters":
            let names = [
                "UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern",
            ]
            give(call, .success([.strings(names)]))
        default: discover(call, on: index)
        }
    }

    private mutating func answerDevice(_ call: Call, _ key: DeviceKey) {
        switch call.member {
        case "Connect": connect(call, key)
        case "Disconnect": disconnect(call, key)
        case "Pair": pair(call, key)
        case "CancelPairing":
            let isPairing = devices[key]?.pairing != nil
            give(call, isPairing ? .success([]) : .failure(BlueZError.doesNotExist))
            cancelPairing(key, BlueZError.authenticationCanceled)
        default: give(call, .failure(BlueZError.notSupported))
        }
    }

    private mutating func answerCharacteristic(_ call: Call, _ key: DeviceKey, _ index: Int) {
        switch call.member {
        case "ReadValue": read(call, key, index)
        case "WriteValue": write(call, key, index)
        case "StartNotify": startNotify(call, key, index)
        case "StopNotify": stopNotify(call, key, index)
        case "AcquireNotify": acquireNotify(call, key, index)
        default: acquireWrite(call, key, index)
        }
    }

    mutating func give(_ call: Call, _ result: Result<[Value], DBusError>) {
        switch result {
        case .success(let values): outputs.append(.reply(call.number, values))
        case .failure(let error): outputs.append(.failure(call.number, error))
        }
    }

    private mutating func give(_ call: Call, _ error: DBusError?) {
        outputs.append(error.map { .failure(call.number, $0) } ?? .reply(call.number, []))
    }

    /// Removes all state of a client: discovery, subscriptions, agents, pairings. Its connections stay, because BlueZ
    /// does not record which client called `Connect`.
    mutating func forget(client: String) {
        for index in adapters.indices {
            endDiscovery(of: client, on: index)
        }
        agents.removeAll { $0.owner == client }
        for (key, record) in devices {
            for index in record.characteristics.indices { dropSubscriber(client, key, index) }
            if record.pairing?.sender == client { cancelPairing(key, BlueZError.authenticationCanceled) }
        }
    }
}
