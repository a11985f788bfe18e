package import Bluetooth
package import BridgeContract
import DeviceKit
import ESPHome
import EventLoop
import Logging
import ProxyClient

// The bonds between a proxy and devices. They remain in the proxy, which does not list them. After a restart of this
// process, the proxy confirms a bond at once when the device is paired again.
extension ProxyRadio {
    /// The time for the proxy's answer to the removal of a bond.
    private static let unpairingTime = Duration.seconds(5)

    /// Bonds a device with the proxy, without a passkey; see ``Radio/pair(_:requirements:)``. If the device is not
    /// connected, it is connected for this purpose.
    package func pair(_ address: Address, requirements: LinkRequirements) async throws(RadioError) {
        if let state = links[address], state.phase == .open { return try await bond(state) }
        let state = try await establish(address, requirements) { _ in }
        do throws(RadioError) {
            let services = state.profile.services.union(gate[address]?.services ?? [])
            if !requirements.isInputDevice, let complaint = services.inputComplaint {
                throw RadioError(.inputDevice, complaint)
            }
            try await bond(state)
        } catch {
            await close(state)
            throw error
        }
        await close(state)
    }

    /// Removes a device's bond from the proxy, and closes its link; see ``Radio/forget(_:)``.
    package func forget(_ address: Address) async throws(RadioError) {
        guard status.isSubscriber else {
            throw RadioError(.unavailable, problem ?? "the proxy cannot be used now")
        }
        if let state = links[address] { await close(state) }
        bonds.remove(address)
        guard status.info?.proxyFeatures.contains(.pair) == true else { return }
        unpaired.remove(address)
        run { $0.unpair(address, at: $1) }
        let isAnswered = await waiters.wait(upTo: Self.unpairingTime) { self.unpaired.contains(address) }
        unpaired.remove(address)
        guard isAnswered else {
            throw RadioError(.failed, "the proxy did not confirm that the bond is removed")
        }
    }

    /// Bonds before the first use of a link. Without a bond, the device must be paired again.
    func requireBond(_ state: ProxyLinkState) async throws(RadioError) {
        do throws(RadioError) {
            try await bond(state)
        } catch  where error.code == .pairingFailed {
            throw RadioError(.pairingRequired, error.message)
        }
    }

    private func bond(_ state: ProxyLinkState) async throws(RadioError) {
        guard status.info?.proxyFeatures.contains(.pair) == true else {
            throw RadioError(.pairingFailed, "the proxy cannot bond with devices: update its firmware")
        }
        let result = await withCheckedContinuation { continuation in
            enqueue(
                LinkRequest(operation: .pair, handle: 0) { continuation.resume(returning: $0) }, on: state)
        }
        let address = state.address
        switch result {
        case .success:
            state.isBonded = true
            guard bonds.insert(address).inserted else { return }
            logger.notice("the device is paired with the proxy", metadata: ["device": "\(address)"])
        case .failure(let error):
            bonds.remove(address)
            guard status.isSubscriber else {
                throw RadioError(.unavailable, problem ?? "the proxy cannot be used now")
            }
            throw RadioError(.pairingFailed, error.message)
        }
    }
}
