import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging

// The emergency stops of devices. The store keeps them across restarts, even for devices that the bridge does not know.
extension Bridge {
    func loadLatches() async {
        latches = LatchBook(await ports.latches.load())
        guard let reason = latches.unreadable else { return }
        logger.error(
            "the emergency stops cannot be read: every device with an emergency stop is stopped until power/set on",
            metadata: ["reason": "\(reason)"])
    }

    /// Returns the latch (the stored emergency stop) of a device that gets a session. A device without a latch gets a
    /// new latch.
    func takeLatch(of address: Address, _ family: any DeviceFamily, isLetIn: Bool) -> Latch {
        guard let latching = family.latching else { return .clear }
        let former = kept[address]?.memory[latching.memoryKey]
        let (latch, isNew) = latches.latch(of: address, former: former, isLetIn: isLetIn)
        guard isNew else {
            // The device may get a new session because its settings changed. The old session may have requested to
            // release the emergency stop, and this void release may still be on its way to the disk. Storing the latch
            // again replaces the release.
            if latch == .latched, latches.unreadable == nil {
                spawn { _ = await $0.ports.latches.keep(latch, of: address) }
            }
            return latch
        }
        spawn { bridge in
            let failure = await bridge.ports.latches.make(latch, of: address)
            bridge.made(failure, address, former: latching.memoryKey)
        }
        return latch
    }

    /// Handles that the file of a latch was created or could not be created. Once the file exists, the latch is removed
    /// from the device's stored memory, where older versions kept it.
    private func made(_ failure: String?, _ address: Address, former key: String) {
        if let failure {
            logger.error(
                "the file for an emergency stop cannot be created; the bridge tries again when the stop is set",
                metadata: ["address": "\(address)", "reason": "\(failure)"])
        } else {
            keep { $0.forget(memory: key, of: address) }
        }
    }
}
