import Bluetooth
import BridgeContract

/// The radio's state of a link or an attempt to connect; belongs to the loop's thread.
final class ProxyLinkState {
    enum Phase {
        /// The attempt waits for its turn, or the proxy connects to the device.
        case connecting
        case open
        case ended
    }

    let number: Int
    let address: Address
    let requirements: LinkRequirements
    /// The name in the last advertisement; nil if there was none.
    let name: String?
    let handler: @Sendable (LinkEvent) -> Void
    var phase = Phase.connecting
    /// Why the attempt failed, or the link ended.
    var failure: RadioError?
    /// Whether the attempt ends because another host has the device.
    var isWithdrawn = false
    /// Whether the link was returned to its user, who is then informed about its end.
    var isDelivered = false
    /// Whether the end was requested by this bridge.
    var isClosing = false
    var isBonded = false
    var mtu = 23
    var profile = ProxyProfile()
    var queue = LinkRequestQueue()
    /// The number of the operation in progress; nil if there is none.
    var current: Int?

    init(
        number: Int, address: Address, name: String?, requirements: LinkRequirements,
        handler: @escaping @Sendable (LinkEvent) -> Void
    ) {
        (self.number, self.address, self.name) = (number, address, name)
        (self.requirements, self.handler) = (requirements, handler)
    }
}
