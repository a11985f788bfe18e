public import Bluetooth
public import DeviceKit

extension TapFamily {
    /// Returns the reply of a working TapXR, for the tests and the fuzzer: its versions, its battery level, its name,
    /// and that the air mouse is off. With the framed protocol, it reports the last written state.
    public func reply(to operation: LinkOperation, memory: inout [CharacteristicID: [UInt8]]) -> DeviceReply {
        switch operation {
        case .read(let id) where id.uuid == 0x2A27: DeviceReply(value: Array("4.4".utf8))
        case .read(let id) where id.uuid == 0x2A26: DeviceReply(value: Array("3.5.24".utf8))
        case .read(let id) where id.uuid == 0x2A19: DeviceReply(value: [87])
        case .read: DeviceReply(value: Array("Tap_left".utf8))
        case .write(let write) where write.characteristic == TapGATT.frameCommand:
            Self.framedReply(to: write.value, memory: &memory)
        case .write(let write) where write.value == [0x0D]:
            DeviceReply(notifications: [write.characteristic: [0x14, 0x00]])
        default: DeviceReply()
        }
    }

    /// Returns the reply to a frame. Each written setting is stored in `memory` under a number that identifies the
    /// setting, in the form of a characteristic that does not exist on the device.
    private static func framedReply(
        to frame: [UInt8], memory: inout [CharacteristicID: [UInt8]]
    ) -> DeviceReply {
        func place(_ number: UInt16) -> CharacteristicID {
            CharacteristicID(service: 0xFFF0, uuid: UUID(number))
        }
        var answer: [UInt8] = []
        switch (frame.first, frame.dropFirst().first, frame.dropFirst(2).first) {
        case (0, 0, _) where frame.count == 6: memory[place(UInt16(frame[4]))] = [frame[5]]
        case (0, 1, _) where frame.count == 5:
            answer = [3, 0, 0, 0, frame[4]] + (memory[place(UInt16(frame[4]))] ?? [0])
        case (1, 0, 0) where frame.count == 5: memory[place(0x100)] = [frame[4]]
        case (1, 0, 10): answer = [3, 1, 0, 0] + (memory[place(0x100)] ?? [0])
        case (1, 0, 1) where frame.count == 5: memory[place(0x101)] = [frame[4]]
        case (1, 0, 11): answer = [3, 2, 0, 0] + (memory[place(0x101)] ?? [0])
        case (1, 1, 2) where frame.count == 6: memory[place(0x102)] = Array(frame[4...])
        case (1, 1, 12): answer = [3, 3, 0, 0] + (memory[place(0x102)] ?? [3, 2])
        case (3, 4, _) where frame.count == 5: memory[place(0x103)] = [frame[4]]
        case (3, 3, _): answer = [2, 0, 0, 0] + (memory[place(0x103)] ?? [0])
        default: break
        }
        return DeviceReply(notifications: answer.isEmpty ? [:] : [TapGATT.frames: answer])
    }
}
