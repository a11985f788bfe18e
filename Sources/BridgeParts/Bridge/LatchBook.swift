package import Bluetooth
package import BridgeContract
package import DeviceKit
package import JSON

/// What the bridge knows of the emergency stops of all devices, those that it let go included.
package struct LatchBook: Sendable {
    private var latches: [Address: Latch] = [:]
    /// Why nothing can be known; every device then counts as latched.
    package let unreadable: String?

    package init(_ kept: KeptLatches) {
        switch kept {
        case .known(let latches): (self.latches, unreadable) = (latches, nil)
        case .unreadable(let reason): unreadable = reason
        }
    }

    /// The latch of a device, and whether it has to be made.
    ///
    /// - Parameters:
    ///   - former: What the device's memory says of an emergency stop, from the time before there were latches.
    ///   - isLetIn: Whether a person lets the device in just now.
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

    /// A device's latch is another one now.
    package mutating func change(_ latch: Latch, of address: Address) { latches[address] = latch }
}
