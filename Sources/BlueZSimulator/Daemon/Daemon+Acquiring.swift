import Bluetooth
import DBus

extension Daemon {
    /// Gives a client a socket for notifications. While the socket is open, no other client may subscribe.
    mutating func acquireNotify(_ call: Call, _ key: DeviceKey, _ index: Int) {
        guard let record = devices[key], let table = record.table else { return }
        guard record.isConnected else { return fail(call, BlueZError.noLink) }
        let state = record.characteristics[index]
        guard state.notifyChannel == nil else {
            return fail(call, BlueZError.notPermitted("Notify acquired"))
        }
        guard state.subscribers.isEmpty else { return fail(call, BlueZError.inProgress) }
        guard table.characteristics[index].properties.contains(.notify) else {
            return fail(call, BlueZError.notSupported)
        }
        if !holdBack(.acquire(index, call: call.number, sender: call.sender), key, index) {
            acquire(call.sender, call: call.number, key, index)
        }
    }

    /// Opens the socket for notifications.
    mutating func acquire(_ sender: String, call: Int, _ key: DeviceKey, _ index: Int) {
        guard let mtu = devices[key]?.mtu else { return }
        let channel = makeNumber()
        channels[channel] = Channel(key: key, index: index, isForWriting: false)
        change(key, index) { $0.notifyChannel = channel }
        signalAcquired("NotifyAcquired", true, key, index)
        outputs.append(.openChannel(channel, call: call, mtu: mtu))
    }

    /// Gives a client a socket for writes without response. While the socket is open, no other client may write.
    mutating func acquireWrite(_ call: Call, _ key: DeviceKey, _ index: Int) {
        guard let record = devices[key], let table = record.table else { return }
        guard record.isConnected else { return fail(call, BlueZError.noLink) }
        guard record.characteristics[index].writeChannel == nil else {
            return fail(call, BlueZError.notPermitted("Write acquired"))
        }
        guard table.characteristics[index].properties.contains(.writeWithoutResponse) else {
            return fail(call, BlueZError.notSupported)
        }
        let channel = makeNumber()
        channels[channel] = Channel(key: key, index: index, isForWriting: true)
        devices[key]?.characteristics[index].writeChannel = channel
        signalAcquired("WriteAcquired", true, key, index)
        outputs.append(.openChannel(channel, call: call.number, mtu: record.mtu))
    }

    /// Passes a packet from a socket to the device.
    mutating func write(_ bytes: [UInt8], from number: Int) {
        guard let channel = channels[number], channel.isForWriting else { return }
        command(bytes, channel.key, channel.index)
    }

    /// Releases a characteristic after either side has closed its socket.
    mutating func release(channel number: Int) {
        guard let channel = channels.removeValue(forKey: number) else { return }
        outputs.append(.closeChannel(number))
        if channel.isForWriting {
            devices[channel.key]?.characteristics[channel.index].writeChannel = nil
            signalAcquired("WriteAcquired", false, channel.key, channel.index)
        } else {
            change(channel.key, channel.index) { $0.notifyChannel = nil }
            signalAcquired("NotifyAcquired", false, channel.key, channel.index)
        }
    }

    private mutating func signalAcquired(_ name: String, _ isAcquired: Bool, _ key: DeviceKey, _ index: Int) {
        guard let path = devices[key]?.table?.characteristics[index].path else { return }
        outputs.append(.changed(path, BlueZName.characteristic, [.init(name, .bool(isAcquired))]))
    }
}
