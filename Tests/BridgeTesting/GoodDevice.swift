package import Bluetooth
import Synchronization

/// How a device of each family replies when all is well: from the documents of its protocol, not from its codec.
package enum GoodDevice {
    /// What a device of a family replies; nil for a family that nobody has described here. Each reply that is asked
    /// for belongs to a device of its own, with a memory of its own.
    package static func reply(
        _ family: String
    ) -> (@Sendable (LinkOperation) -> DeviceFamilyContract.Reply)? {
        replies[family] ?? memories[family]?()
    }

    private static let replies: [String: @Sendable (LinkOperation) -> DeviceFamilyContract.Reply] = [
        "belt": { operation in
            func characteristic(_ uuid: UInt16) -> CharacteristicID {
                CharacteristicID(service: 0xFE51, uuid: UUID(uuid))
            }
            func notify(_ bytes: [UInt8]) -> DeviceFamilyContract.Reply {
                DeviceFamilyContract.Reply(notifications: [characteristic(0xFE06): bytes])
            }
            switch operation {
            case .read(characteristic(0xFE01)): return DeviceFamilyContract.Reply(value: [60, 0, 1])
            case .write(let write)
            where write.characteristic == characteristic(0xFE05) && write.value.count > 1:
                let bytes = write.value
                switch (bytes[0], bytes[1]) {
                case (0x01, 0x80...): return notify([0x01, bytes[1] & 0x7F] + bytes[2...])
                case (0x01, _): return notify([0x01, bytes[1], 1, 0])
                case (0x10, _): return notify([0x10, bytes[2], 1, 0])
                case (0x11, _): return notify([0x10, bytes[1]] + bytes[3...])
                default: return DeviceFamilyContract.Reply()
                }
            default: return DeviceFamilyContract.Reply()
            }
        },
        "tap": { operation in
            switch operation {
            case .read(let id) where id.uuid == 0x2A27: DeviceFamilyContract.Reply(value: Array("4.4".utf8))
            case .read(let id) where id.uuid == 0x2A26:
                DeviceFamilyContract.Reply(value: Array("3.5.24".utf8))
            case .read(let id) where id.uuid == 0x2A19: DeviceFamilyContract.Reply(value: [87])
            case .read: DeviceFamilyContract.Reply(value: Array("Tap_left".utf8))
            case .write(let write) where write.value == [0x0D]:
                DeviceFamilyContract.Reply(notifications: [write.characteristic: [0x14, 0x00]])
            default: DeviceFamilyContract.Reply()
            }
        },
        "sample": { operation in
            switch operation {
            case .read: DeviceFamilyContract.Reply(value: [42])
            case .write(let write) where write.value.first == 2:
                DeviceFamilyContract.Reply(notifications: [SampleFamily.status: write.value])
            default: DeviceFamilyContract.Reply()
            }
        },
    ]

    /// As above, for devices that remember what they were told; each has a memory of its own.
    private static let memories:
        [String: @Sendable () -> @Sendable (LinkOperation) -> DeviceFamilyContract.Reply] = [
            "robot": {
                let values = Memory()
                return { operation in
                    switch operation {
                    case .write(let write):
                        values.state.withLock { $0[write.characteristic] = write.value }
                        return DeviceFamilyContract.Reply()
                    case .read(let id):
                        return DeviceFamilyContract.Reply(value: values.state.withLock { $0[id] ?? [] })
                    default: return DeviceFamilyContract.Reply()
                    }
                }
            }
        ]

    /// What was written to each characteristic last.
    private final class Memory: Sendable {
        let state = Mutex<[CharacteristicID: [UInt8]]>([:])
    }
}
