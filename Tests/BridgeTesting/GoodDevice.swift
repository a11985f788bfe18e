package import Bluetooth
package import DeviceKit
import Synchronization

/// How a device of a family replies when all is well, as its family declares it.
package enum GoodDevice {
    /// What a device replies. Each reply that is asked for belongs to a device of its own, with a memory of its own.
    package static func reply(_ family: any DeviceFamily) -> @Sendable (LinkOperation) -> DeviceReply {
        let memory = Memory()
        return { operation in memory.state.withLock { family.reply(to: operation, memory: &$0) } }
    }

    /// What was written to each characteristic last.
    private final class Memory: Sendable {
        let state = Mutex<[CharacteristicID: [UInt8]]>([:])
    }
}
