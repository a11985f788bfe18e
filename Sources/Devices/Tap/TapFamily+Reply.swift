public import Bluetooth
public import DeviceKit

extension TapFamily {
    /// Says what a TapXR replies: its versions, its charge, its name, and that it is not in its air-gesture state.
    public func reply(
        to operation: LinkOperation, memory: inout [CharacteristicID: [UInt8]]
    ) -> DeviceReply {
        switch operation {
        case .read(let id) where id.uuid == 0x2A27: DeviceReply(value: Array("4.4".utf8))
        case .read(let id) where id.uuid == 0x2A26: DeviceReply(value: Array("3.5.24".utf8))
        case .read(let id) where id.uuid == 0x2A19: DeviceReply(value: [87])
        case .read: DeviceReply(value: Array("Tap_left".utf8))
        case .write(let write) where write.value == [0x0D]:
            DeviceReply(notifications: [write.characteristic: [0x14, 0x00]])
        default: DeviceReply()
        }
    }
}
