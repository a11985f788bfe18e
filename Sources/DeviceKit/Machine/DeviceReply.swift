public import Bluetooth

/// What a device does when it is read, written or subscribed, as tests of every family play it.
public struct DeviceReply: Hashable, Sendable {
    /// What a read gives.
    public var value: [UInt8]
    /// What the device notifies then.
    public var notifications: [CharacteristicID: [UInt8]]

    /// Makes a reply.
    public init(value: [UInt8] = [], notifications: [CharacteristicID: [UInt8]] = [:]) {
        self.value = value
        self.notifications = notifications
    }
}

extension DeviceFamily {
    /// Takes every write and gives back at a read what was written last, as a plain device does.
    public func reply(to operation: LinkOperation, memory: inout [CharacteristicID: [UInt8]]) -> DeviceReply {
        switch operation {
        case .write(let write):
            memory[write.characteristic] = write.value
            return DeviceReply()
        case .read(let characteristic): return DeviceReply(value: memory[characteristic] ?? [])
        case .subscribe, .unsubscribe: return DeviceReply()
        }
    }
}
