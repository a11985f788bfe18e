import DBus
import VirtualDevices

extension Daemon {
    /// Pairs with a device at a client's request, after connecting if necessary.
    mutating func pair(_ call: Call, _ key: DeviceKey) {
        guard let record = devices[key] else { return }
        // If a Low Energy bond exists, BlueZ assumes that the request concerns Bluetooth Classic.
        if record.isBonded { return fail(call, BlueZError.authenticationFailed) }
        if record.pairing?.call != nil || record.link == .closing {
            return outputs.append(.failure(call.number, BlueZError.inProgress))
        }
        guard isPowered(key.adapter) else {
            return outputs.append(.failure(call.number, BlueZError.authenticationFailed))
        }
        if record.pairing != nil {
            devices[key]?.pairing?.call = call.number
            devices[key]?.pairing?.sender = call.sender
            return
        }
        let pairing = DeviceRecord.Pairing(call: call.number, sender: call.sender, question: nil)
        if record.link == .up { return beginPairing(key, pairing) }
        devices[key]?.pairing = pairing
        beginConnecting(key)
    }

    /// Starts pairing over an existing connection, unless a pairing is already in progress.
    mutating func beginPairing(_ key: DeviceKey, _ pairing: DeviceRecord.Pairing) {
        guard devices[key]?.pairing == nil else { return }
        devices[key]?.pairing = pairing
        waits.set(.pairing(key), at: now + options.pairingTime)
    }

    /// Requests the device's consent to pairing and, if the host is configured to do so, the agent's consent. An agent
    /// must be registered in both cases.
    mutating func askForPairing(_ key: DeviceKey) {
        guard let record = devices[key], let pairing = record.pairing else { return }
        guard air.world.acceptsPairing(key.name) else {
            return failPairing(key, BlueZError.authenticationFailed)
        }
        guard let agent = agent(for: pairing.sender) else {
            return failPairing(key, BlueZError.authenticationFailed)
        }
        guard options.pairingAsksAgent else { return finishPairing(key) }
        let question = makeNumber()
        devices[key]?.pairing?.question = question
        outputs.append(
            .askAgent(
                question,
                .init(
                    owner: agent.owner, path: agent.path, member: "RequestAuthorization",
                    arguments: [.objectPath(record.path)])))
    }

    /// Continues after an agent's answer.
    mutating func continuePairing(_ question: Int, error: String?) {
        if let key = devices.first(where: { $0.value.authorization == question })?.key {
            devices[key]?.authorization = nil
            return reportInput(key, isGranted: error == nil)
        }
        guard let key = devices.first(where: { $0.value.pairing?.question == question })?.key else { return }
        switch error {
        case nil: finishPairing(key)
        case "org.bluez.Error.Canceled": failPairing(key, BlueZError.authenticationCanceled)
        default: failPairing(key, BlueZError.authenticationRejected)
        }
    }

    private mutating func finishPairing(_ key: DeviceKey) {
        guard let record = devices[key], let pairing = record.pairing else { return }
        devices[key]?.pairing = nil
        devices[key]?.isBonded = true
        devices[key]?.isEncrypted = true
        devices[key]?.mayReconnect = true
        signal("Bonded", "Paired", of: key)
        keep(key)
        if let call = pairing.call { outputs.append(.reply(call, [])) }
        stimulate(.bonded, of: key.name)
        if !record.areServicesResolved, !waits.isSet(.resolved(key)) { beginResolving(key) }
        let waiting = record.waiting
        devices[key]?.waiting = []
        for operation in waiting { perform(operation, key) }
    }

    /// Ends a pairing with an error and closes the connection.
    private mutating func failPairing(_ key: DeviceKey, _ error: DBusError) {
        guard let pairing = devices[key]?.pairing else { return }
        devices[key]?.pairing = nil
        waits.cancel(.pairing(key))
        if let call = pairing.call { outputs.append(.failure(call, error)) }
        failWaiting(key)
        loseLink(key)
    }

    /// Cancels a pairing at a client's request or after a disconnect.
    mutating func cancelPairing(_ key: DeviceKey, _ error: DBusError) {
        guard let record = devices[key], let pairing = record.pairing else { return }
        devices[key]?.pairing = nil
        waits.cancel(.pairing(key))
        if let call = pairing.call { outputs.append(.failure(call, error)) }
        if pairing.question != nil, let agent = agent(for: pairing.sender) {
            outputs.append(
                .tellAgent(.init(owner: agent.owner, path: agent.path, member: "Cancel", arguments: [])))
        }
        failWaiting(key)
        if record.link == .connecting, record.connectCall == nil { failConnecting(key, error) }
        if record.link == .up, !record.areServicesResolved { beginResolving(key) }
    }

    /// Makes an operation wait until the connection is encrypted, if that is required. Returns whether the operation
    /// waits.
    mutating func holdBack(_ operation: DeviceRecord.Waiting, _ key: DeviceKey, _ index: Int) -> Bool {
        guard let record = devices[key], let table = record.table, !record.isEncrypted,
            table.characteristics[index].needsEncryption
        else { return false }
        devices[key]?.waiting.append(operation)
        beginPairing(key, DeviceRecord.Pairing(call: nil, sender: nil, question: nil))
        return true
    }

    /// Fails the operations that wait for encryption.
    mutating func failWaiting(_ key: DeviceKey) {
        guard let waiting = devices[key]?.waiting else { return }
        devices[key]?.waiting = []
        for operation in waiting {
            switch operation {
            case .read(let index): finishRead(key, index, .failure(BlueZError.att(0x0E)))
            case .write(let index, let call, _):
                devices[key]?.characteristics[index].write = nil
                outputs.append(.failure(call, BlueZError.att(0x0E)))
            case .subscribe(_, let call, _), .acquire(_, let call, _):
                outputs.append(.failure(call, BlueZError.att(0x0E)))
            }
        }
    }

    private mutating func perform(_ operation: DeviceRecord.Waiting, _ key: DeviceKey) {
        switch operation {
        case .read(let index): sendRead(key, index)
        case .write(let index, _, let bytes): sendWrite(bytes, key, index)
        case .subscribe(let index, let call, let sender): subscribe(sender, call: call, key, index)
        case .acquire(let index, let call, let sender): acquire(sender, call: call, key, index)
        }
    }
}
