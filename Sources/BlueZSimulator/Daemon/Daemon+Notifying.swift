import Bluetooth
import DBus
import VirtualDevices

extension Daemon {
    /// Subscribes a client. Without a connection, the subscription takes effect on the next connection.
    mutating func startNotify(_ call: Call, _ key: DeviceKey, _ index: Int) {
        guard let record = devices[key], let table = record.table else { return }
        guard record.link != .closing else { return fail(call, BlueZError.notConnected) }
        guard record.characteristics[index].notifyChannel == nil else {
            return fail(call, BlueZError.notPermitted("Notify acquired"))
        }
        guard table.characteristics[index].configuration != nil else {
            return fail(call, BlueZError.notSupported)
        }
        guard !record.characteristics[index].subscribers.contains(call.sender) else {
            return outputs.append(.reply(call.number, []))
        }
        guard record.isConnected else {
            devices[key]?.characteristics[index].subscribers.append(call.sender)
            return outputs.append(.reply(call.number, []))
        }
        if !holdBack(.subscribe(index, call: call.number, sender: call.sender), key, index) {
            subscribe(call.sender, call: call.number, key, index)
        }
    }

    /// Adds a subscriber and answers its call.
    mutating func subscribe(_ sender: String, call: Int, _ key: DeviceKey, _ index: Int) {
        change(key, index) { $0.subscribers.append(sender) }
        setNotifying(key, index)
        outputs.append(.reply(call, []))
    }

    /// Renews the subscriptions of a characteristic on a new connection.
    mutating func renew(_ key: DeviceKey, _ index: Int) {
        guard let characteristic = devices[key]?.table?.characteristics[index] else { return }
        if !characteristic.isForeign { stimulate(.subscribed(characteristic.id, true), of: key.name) }
        setNotifying(key, index)
    }

    mutating func stopNotify(_ call: Call, _ key: DeviceKey, _ index: Int) {
        guard let state = devices[key]?.characteristics[index] else { return }
        if let channel = state.notifyChannel {
            release(channel: channel)
            return outputs.append(.reply(call.number, []))
        }
        guard state.subscribers.contains(call.sender) else {
            return fail(call, BlueZError.failed("No notify session started"))
        }
        dropSubscriber(call.sender, key, index)
        outputs.append(.reply(call.number, []))
    }

    /// Removes a subscriber, which may have left the bus.
    mutating func dropSubscriber(_ client: String, _ key: DeviceKey, _ index: Int) {
        guard devices[key]?.characteristics[index].subscribers.contains(client) == true else { return }
        change(key, index) { $0.subscribers.removeAll { $0 == client } }
        guard let state = devices[key]?.characteristics[index], state.isNotifying, state.subscribers.isEmpty
        else {
            return
        }
        devices[key]?.characteristics[index].isNotifying = false
        signalNotifying(key, index)
    }

    /// Forwards a notification to all subscribers: through the socket, or by one signal per subscriber.
    mutating func notify(_ id: CharacteristicID, _ bytes: [UInt8], of key: DeviceKey) {
        guard let record = devices[key], let index = record.index(of: id) else { return }
        let state = record.characteristics[index]
        if let channel = state.notifyChannel { outputs.append(.send(channel, bytes)) }
        for _ in state.subscribers { setValue(bytes, key, index) }
        if state.isHeldByPlugin, let level = bytes.first { setBattery(level, of: key) }
    }

    /// Changes the subscribers, and informs the device about the first and the last subscription.
    mutating func change(_ key: DeviceKey, _ index: Int, _ body: (inout CharacteristicRecord) -> Void) {
        guard var state = devices[key]?.characteristics[index] else { return }
        let wasWanted = state.isWanted
        body(&state)
        devices[key]?.characteristics[index] = state
        guard state.isWanted != wasWanted, let record = devices[key], record.isConnected,
            let characteristic = record.table?.characteristics[index], !characteristic.isForeign
        else { return }
        stimulate(.subscribed(characteristic.id, state.isWanted), of: key.name)
    }

    private mutating func setNotifying(_ key: DeviceKey, _ index: Int) {
        guard devices[key]?.characteristics[index].isNotifying == false else { return }
        devices[key]?.characteristics[index].isNotifying = true
        signalNotifying(key, index)
    }

    private mutating func signalNotifying(_ key: DeviceKey, _ index: Int) {
        guard let record = devices[key], let path = record.table?.characteristics[index].path else { return }
        let isNotifying = record.characteristics[index].isNotifying
        outputs.append(.changed(path, BlueZName.characteristic, [.init("Notifying", .bool(isNotifying))]))
    }
}
