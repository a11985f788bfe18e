package import Bluetooth
package import BridgeContract
import ESPHome
import EventLoop
import Logging
import ProxyClient

extension ProxyRadio {
    /// Connects to a device; see ``Radio/connect(_:requirements:handler:)``. The proxy runs one attempt at a time.
    package func connect(
        _ address: Address, requirements: LinkRequirements,
        handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(RadioError) -> any DeviceLink {
        let state = try await establish(address, requirements, handler: handler)
        do throws(RadioError) {
            let lacking = state.profile.lacking(requirements)
            guard lacking.isEmpty else {
                let names = lacking.map(\.description).joined(separator: ", ")
                throw RadioError(.wrongProfile, "the device lacks the characteristics \(names)")
            }
            // The proxy does not encrypt a new connection to a bonded device automatically. With a bond, its answer is
            // immediate.
            if requirements.bonding == .always || requirements.mayBond && bonds.contains(address) {
                try await requireBond(state)
            }
            guard state.phase == .open else { throw state.failure ?? lost }
        } catch {
            await close(state)
            throw error
        }
        state.isDelivered = true
        logger.debug("connected", metadata: ["device": "\(address)"])
        let advertised = gate[address]?.services ?? []
        return ProxyLink(state, services: state.profile.services.union(advertised), radio: self)
    }

    /// Ends an attempt that waits for its turn or for the device, because another host has the device.
    package nonisolated func cancelConnecting(_ address: Address) {
        assumeIsolated { radio in
            guard let state = radio.links[address], state.phase == .connecting else { return }
            state.isWithdrawn = true
            radio.run { $0.disconnect(address, at: $1) }
        }
    }

    /// Connects to a device and lists its services, in turn with other attempts.
    func establish(
        _ address: Address, _ requirements: LinkRequirements,
        handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(RadioError) -> ProxyLinkState {
        guard requirements.mayUseProxy, !requirements.isSafetyCritical else {
            throw RadioError(
                .proxyOnly, "a device of this family must not be connected over a Bluetooth proxy")
        }
        try requireUsable(for: address)
        guard gate.isFresh(address, at: EventLoop.now) else {
            let limit = AdvertisementGate.freshness.components.seconds
            throw RadioError(.unknownDevice, "no advertisement received in the last \(limit) s")
        }
        // A connection that this radio is closing ends soon.
        _ = await waiters.wait { self.links[address] != nil || !self.connector.holds(address) }
        guard links[address] == nil else {
            throw RadioError(.busy, "this bridge is already connected or connecting")
        }
        let state = ProxyLinkState(
            number: makeNumber(), address: address, name: gate[address]?.name, requirements: requirements,
            handler: handler)
        links[address] = state
        turns.append(state)
        defer {
            turns.removeAll { $0 === state }
            waiters.check()
        }
        do throws(RadioError) {
            try await awaitTurn(state)
        } catch {
            end(state, error, reason: error.message)
            throw error
        }
        await open(state)
        guard state.phase == .open else {
            guard !state.isWithdrawn else { throw Self.withdrawn }
            throw state.failure ?? lost
        }
        return state
    }

    private static let withdrawn = RadioError(.unreachable, "another host is connected to the device")

    /// The error of a link that has ended for an unknown reason.
    private var lost: RadioError { RadioError(.unreachable, "the link was lost") }

    /// Checks that the proxy can connect to a device. A device whose last connection has not ended keeps its slot.
    private func requireUsable(for address: Address) throws(RadioError) {
        guard status.isSubscriber else {
            throw RadioError(.unavailable, problem ?? "the proxy cannot be used now")
        }
        guard status.canConnect else {
            throw RadioError(
                .noSlot, "the proxy only forwards advertisements (active: true is missing in bluetooth_proxy)"
            )
        }
        guard status.slots?.free != 0 || status.slots?.allocated.contains(address.number) == true else {
            throw RadioError(ProxySession.LinkFailure.noSlot)
        }
    }

    private func awaitTurn(_ state: ProxyLinkState) async throws(RadioError) {
        let isFirst = await waiters.wait { self.turns.first === state || state.isWithdrawn }
        guard !state.isWithdrawn else { throw Self.withdrawn }
        guard isFirst else { throw RadioError(.failed, "the attempt was canceled") }
        try requireUsable(for: state.address)
    }

    /// Requests a connection, and waits until it is open or the attempt has ended. The session limits the time.
    private func open(_ state: ProxyLinkState) async {
        let address = state.address
        let type = addressType(of: address) ?? 0
        run { $0.connect(address, addressType: type, at: $1) }
        let isDecided = await waiters.wait { state.phase != .connecting }
        if !isDecided { await close(state) }
    }

    // MARK: Events

    func connected(_ address: Address, mtu: Int, _ services: [ServiceEntry]) {
        guard let state = links[address], state.phase == .connecting else {
            return run { $0.disconnect(address, at: $1) }
        }
        state.mtu = mtu
        state.profile = ProxyProfile(services, for: state.requirements)
        state.phase = .open
    }

    func connectFailed(_ address: Address, _ failure: ProxySession.LinkFailure) {
        guard let state = links[address] else { return }
        let error = RadioError(failure)
        switch error.code {
        case .noSlot: status.isFull()
        case .unreachable: missed(address)
        default: break
        }
        end(state, error, reason: error.message)
    }
}
