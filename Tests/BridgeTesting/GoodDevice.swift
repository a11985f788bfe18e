package import Bluetooth
package import DeviceKit
import Synchronization

/// The replies of a well-behaved device, as its family declares them.
package enum GoodDevice {
    /// Returns the reply function of a new device with its own memory.
    package static func reply(_ family: any DeviceFamily) -> @Sendable (LinkOperation) -> DeviceReply {
        let memory = Memory()
        return { operation in memory.state.withLock { family.reply(to: operation, memory: &$0) } }
    }

    /// The last value that was written to each characteristic.
    private final class Memory: Sendable {
        let state = Mutex<[CharacteristicID: [UInt8]]>([:])
    }
}
