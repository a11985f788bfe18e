import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging

// The emergency stops of devices, which outlive the bridge and whether it knows the device.
extension Bridge {
    /// Reads what was kept.
    func loadLatches() async {
        latches = LatchBook(await world.latches.load())
        guard let reason = latches.unreadable else { return }
        logger.error(
            "the emergency stops cannot be read: every device that has one counts as stopped until power/set on",
            metadata: ["reason": "\(reason)"])
    }

    /// The latch of a device that is taken up; one that has none gets it.
    func takeLatch(of address: Address, _ family: any DeviceFamily, isLetIn: Bool) -> Latch {
        guard let latching = family.latching else { return .clear }
        let former = kept[address]?.memory[latching.memoryKey]
        let (latch, isNew) = latches.latch(of: address, former: former, isLetIn: isLetIn)
        guard isNew else {
            // A release that was given up, because the device's settings changed, may be on its way to the disk yet.
            if latch == .latched, latches.unreadable == nil {
                spawn { _ = await $0.world.latches.keep(latch, of: address) }
            }
            return latch
        }
        spawn { bridge in
            let failure = await bridge.world.latches.make(latch, of: address)
            bridge.made(failure, address, former: latching.memoryKey)
        }
        return latch
    }

    /// A device has a latch on the disk, so that its memory need not tell any more; or it could not be made.
    private func made(_ failure: String?, _ address: Address, former key: String) {
        if let failure {
            logger.error(
                "a device has no file for its emergency stop; it is tried again when one is set",
                metadata: ["address": "\(address)", "reason": "\(failure)"])
        } else {
            keep { $0.forget(memory: key, of: address) }
        }
    }
}
