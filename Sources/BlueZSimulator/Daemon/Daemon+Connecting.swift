import DBus
import VirtualDevices

extension Daemon {
    /// Connects a device at a client's request. The answer is sent when the connection exists, before the services are
    /// resolved.
    mutating func connect(_ call: Call, _ key: DeviceKey) {
        guard let record = devices[key] else { return }
        guard isPowered(key.adapter) else {
            return outputs.append(.failure(call.number, BlueZError.adapterOff))
        }
        switch record.link {
        case .up, .closing:
            // BlueZ treats a connection that is being closed as connected: `Connect` succeeds, and the connection ends
            // afterwards.
            outputs.append(.reply(call.number, []))
        case .connecting where record.connectCall != nil || record.pairing != nil:
            outputs.append(.failure(call.number, BlueZError.connecting))
        case .connecting, .down:
            guard bearsMore(key.adapter) else {
                return outputs.append(.failure(call.number, BlueZError.connectionLimit))
            }
            keep(key)
            devices[key]?.mayReconnect = true
            devices[key]?.connectCall = call.number
            beginConnecting(key)
        }
    }

    /// Whether an adapter supports one more connection.
    private func bearsMore(_ name: String) -> Bool {
        guard let index = adapterIndex(name), let limit = adapters[index].limit else { return true }
        return devices.count { $0.key.adapter == name && [.up, .closing].contains($0.value.link) } < limit
    }

    /// Starts to connect to a device: waits for an advertisement of the device, for a limited time.
    mutating func beginConnecting(_ key: DeviceKey) {
        waits.set(.connectTimeout(key), at: now + options.connectTimeout)
        guard devices[key]?.link == .down else { return }
        devices[key]?.link = .connecting
        if hears(key) { waits.set(.established(key), at: now + options.connectTime) }
    }

    /// Connects a bonded device that the system connects automatically, as soon as the device advertises.
    mutating func connectByItself(_ key: DeviceKey) {
        guard let record = devices[key], record.link == .down, record.connectsByItself,
            isPowered(key.adapter), hears(key)
        else { return }
        devices[key]?.link = .connecting
        waits.set(.established(key), at: now + options.connectTime)
    }

    /// Establishes the connection, if the device is still available.
    mutating func establish(_ key: DeviceKey) {
        guard devices[key]?.link == .connecting, air.accepts(key.name, from: host),
            let peripheral = air.world.peripheral(key.name)
        else { return }
        waits.cancel(.connectTimeout(key))
        let mtu = min(options.mtu, peripheral.mtu)
        devices[key]?.link = .up
        devices[key]?.mtu = UInt16(clamping: mtu)
        signal("Connected", of: key)
        if let call = devices[key]?.connectCall { outputs.append(.reply(call, [])) }
        devices[key]?.connectCall = nil
        stimulate(.connected(mtu: mtu), of: key.name)
        if devices[key]?.isBonded == true {
            devices[key]?.isEncrypted = true
            stimulate(.bonded, of: key.name)
        }
        if devices[key]?.pairing != nil {
            waits.set(.pairing(key), at: now + options.pairingTime)
        } else {
            beginResolving(key)
        }
    }

    /// Waits until the services are resolved. The first discovery takes longer.
    mutating func beginResolving(_ key: DeviceKey) {
        let isKnown = devices[key]?.isExported == true
        waits.set(.resolved(key), at: now + (isKnown ? options.resolveTime / 3 : options.resolveTime))
    }

    /// Ends the connection attempt of `Connect` or `Pair` after the timeout.
    mutating func giveUpConnecting(_ key: DeviceKey) {
        cancelPairing(key, BlueZError.pairingUnreachable)
        failConnecting(key, BlueZError.unreachable)
    }

    /// Ends a connection attempt with an error for its caller.
    mutating func failConnecting(_ key: DeviceKey, _ error: DBusError) {
        guard devices[key]?.link == .connecting else { return }
        waits.cancel(.connectTimeout(key))
        waits.cancel(.established(key))
        devices[key]?.link = .down
        if let call = devices[key]?.connectCall { outputs.append(.failure(call, error)) }
        devices[key]?.connectCall = nil
    }

    /// Whether the host currently receives a device's advertisements.
    func hears(_ key: DeviceKey) -> Bool { air.hears(key.name, at: host) }

    func isPowered(_ adapter: String) -> Bool {
        adapterIndex(adapter).map { adapters[$0].isPowered } ?? false
    }
}
