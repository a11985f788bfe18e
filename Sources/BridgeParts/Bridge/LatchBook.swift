package import Bluetooth
package import BridgeContract
package import DeviceKit
package import JSON

/// The emergency stop latches of all devices, including devices that are no longer connected. A latch keeps a device
/// stopped until the emergency stop is released.
package struct LatchBook: Sendable {
    private var latches: [Address: Latch] = [:]
    /// Why the stored latches cannot be read; nil if they can. If they cannot, every device counts as latched.
    package let unreadable: String?

    package init(_ kept: KeptLatches) {
        switch kept {
        case .known(let latches): (self.latches, unreadable) = (latches, nil)
        case .unreadable(let reason): unreadable = reason
        }
    }

    /// Returns the latch of a device, and whether this call created the latch.
    ///
    /// - Parameters:
    ///   - former: The emergency stop in the device's stored memory, where versions of the bridge without latches kept
    ///     it.
    ///   - isLetIn: Whether a permit of the user now allows the device to join now.
    package mutating func latch(
        of address: Address, former: JSON.Value?, isLetIn: Bool
    ) -> (latch: Latch, isNew: Bool) {
        if let known = latches[address] { return (known, false) }
        if unreadable != nil { return (.latched, false) }
        let latch: Latch =
            switch former?.bool {
            case true?: .latched
            case false?: .clear
            case nil: isLetIn ? .clear : .unconfirmed
            }
        latches[address] = latch
        return (latch, true)
    }

    /// Whether an emergency stop is set.
    package func isSet(_ address: Address) -> Bool { latches[address] == .latched }

    package mutating func change(_ latch: Latch, of address: Address) { latches[address] = latch }
}
