import Bluetooth
import BridgeContract
import DeviceKit

/// A link to a device over a proxy.
final class ProxyLink: DeviceLink {
    let profile: LinkProfile
    let adapter: String
    let place: LinkPlace
    private let address: Address
    private let number: Int
    private let radio: ProxyRadio

    init(_ state: ProxyLinkState, services: Set<UUID>, radio: ProxyRadio) {
        (address, number, adapter, self.radio) = (state.address, state.number, radio.adapter, radio)
        place = LinkPlace(proxy: radio.adapter, address: state.address)
        var profile = LinkProfile(
            characteristics: state.profile.characteristics.mapValues(\.properties), mtu: state.mtu,
            isPaired: state.isBonded, name: state.name, services: services)
        profile.isOverProxy = true
        self.profile = profile
    }

    func perform(
        _ operation: LinkOperation, while isWanted: @escaping @Sendable () -> Bool,
        then completion: @escaping @Sendable (Result<[UInt8], OperationError>) -> Void
    ) {
        radio.assumeIsolated {
            $0.perform(operation, of: address, link: number, while: isWanted, then: completion)
        }
    }

    /// Does nothing: a device bonds with a proxy only on request.
    func settle() async {}

    func disconnect() async { await radio.disconnect(address, link: number) }

    /// Closes the link: nobody else uses a link over a proxy.
    func leave() async { await disconnect() }
}
