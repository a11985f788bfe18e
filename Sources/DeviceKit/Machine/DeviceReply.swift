public import Bluetooth

/// The reply of a device to a read, write or subscription, as simulated by the tests of every family.
public struct DeviceReply: Hashable, Sendable {
    /// The value that a read returns.
    public var value: [UInt8]
    /// The notifications that the device sends after the reply.
    public var notifications: [CharacteristicID: [UInt8]]

    /// Creates a reply.
    public init(value: [UInt8] = [], notifications: [CharacteristicID: [UInt8]] = [:]) {
        self.value = value
        self.notifications = notifications
    }
}

extension DeviceFamily {
    /// The default: every write succeeds, and a read returns the value that was written last.
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
