public import Bluetooth
public import DeviceKit

extension BeltFamily {
    /// Returns the reply of a working belt, for the tests and the fuzzer: the firmware when it is read, and each
    /// parameter that is requested or set.
    public func reply(to operation: LinkOperation, memory: inout [CharacteristicID: [UInt8]]) -> DeviceReply {
        func characteristic(_ uuid: UInt16) -> CharacteristicID {
            CharacteristicID(service: 0xFE51, uuid: UUID(uuid))
        }
        func notify(_ bytes: [UInt8]) -> DeviceReply {
            DeviceReply(notifications: [characteristic(0xFE06): bytes])
        }
        switch operation {
        case .read(characteristic(0xFE01)): return DeviceReply(value: [60, 0, 1])
        case .write(let write)
        where write.characteristic == characteristic(0xFE05) && write.value.count > 1:
            let bytes = write.value
            switch (bytes[0], bytes[1]) {
            case (0x01, 0x80...): return notify([0x01, bytes[1] & 0x7F] + bytes[2...])
            case (0x01, _): return notify([0x01, bytes[1], 1, 0])
            case (0x10, _): return notify([0x10, bytes[2], 1, 0])
            case (0x11, _): return notify([0x10, bytes[1]] + bytes[3...])
            default: return DeviceReply()
            }
        default: return DeviceReply()
        }
    }
}
