import DBus
import VirtualDevices

extension Daemon {
    /// Disconnects a device at a client's request. BlueZ keeps the connection for a while (`disconnectTime`) before it
    /// closes the connection.
    mutating func disconnect(_ call: Call, _ key: DeviceKey) {
        devices[key]?.mayReconnect = false
        cancelPairing(key, BlueZError.authenticationCanceled)
        switch devices[key]?.link {
        case .up:
            devices[key]?.disconnectCalls.append(call.number)
            beginClosing(key)
        case .closing: devices[key]?.disconnectCalls.append(call.number)
        case .connecting:
            failConnecting(key, BlueZError.connectCanceled)
            outputs.append(.reply(call.number, []))
        case .down, nil: outputs.append(.reply(call.number, []))
        }
    }

    /// Starts an orderly disconnect, at the end of which the connection is closed.
    mutating func beginClosing(_ key: DeviceKey) {
        guard devices[key]?.link == .up else { return }
        devices[key]?.link = .closing
        removeBattery(key)
        waits.set(.closed(key), at: now + options.disconnectTime)
    }

    /// Completes an orderly disconnect. BlueZ emits two signals, with the answer between them.
    mutating func finishClosing(_ key: DeviceKey) {
        guard let record = devices[key], record.isConnected else { return }
        devices[key]?.areServicesResolved = false
        if record.areServicesResolved { signal("ServicesResolved", of: key) }
        devices[key]?.disconnectCalls = []
        for call in record.disconnectCalls { outputs.append(.reply(call, [])) }
        devices[key]?.link = .down
        signal("Connected", of: key)
        cleanUp(key)
    }

    /// Loses a connection. BlueZ emits one signal.
    mutating func loseLink(_ key: DeviceKey) {
        guard let record = devices[key], record.isConnected else { return }
        devices[key]?.areServicesResolved = false
        devices[key]?.link = .down
        if record.areServicesResolved {
            signal("ServicesResolved", "Connected", of: key)
        } else {
            signal("Connected", of: key)
        }
        removeBattery(key)
        cleanUp(key)
    }

    /// Ends everything that depends on a connection that has ended. Subscriptions are kept for the next connection.
    private mutating func cleanUp(_ key: DeviceKey) {
        guard let record = devices[key] else { return }
        for wait in [
            Daemon.Wait.resolved, Daemon.Wait.exported, Daemon.Wait.closed, Daemon.Wait.supervision,
        ] {
            waits.cancel(wait(key))
        }
        setMTU(nil, of: key)
        devices[key]?.isEncrypted = false
        cancelPairing(key, BlueZError.authenticationCanceled)
        failWaiting(key)
        failRequests(of: key)
        for channel in channels.filter({ $0.value.key == key }).map(\.key).sorted() {
            release(channel: channel)
        }
        for index in record.characteristics.indices {
            devices[key]?.characteristics[index].isHeldByPlugin = false
        }
        devices[key]?.disconnectCalls = []
        for call in record.disconnectCalls { outputs.append(.reply(call, [])) }
        stimulate(.disconnected, of: key.name)
        if record.isToBeForgotten {
            remove(key)
        } else if record.isTemporary {
            waits.set(.temporary(key), at: now + options.temporaryTimeout)
        }
    }

    /// Answers the reads and writes that the device can no longer answer.
    private mutating func failRequests(of key: DeviceKey) {
        for (number, request) in requests {
            switch request {
            case .read(key, _), .write(key, _): finish(number, .refused(0x0E))
            case .battery(key): requests[number] = nil
            default: break
            }
        }
    }
}
