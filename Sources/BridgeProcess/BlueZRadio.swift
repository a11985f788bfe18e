public import BlueZ
import Bluetooth
public import BridgeContract
import DeviceKit

/// The bridge's radio: implements the port `Radio` with the module `BlueZ`.
///
/// Notifications reach the device's session on the event loop's thread, without a change of thread.
struct BlueZRadio: Radio {
    private let client: Client

    /// Creates a radio from a client of bluetoothd. A separate service calls the client's ``Client/run()``.
    init(_ client: Client) { self.client = client }

    func onEvent(_ handler: @escaping @Sendable (RadioEvent) -> Void) {
        client.assumeIsolated { $0.onEvent(handler) }
    }

    func startDiscovery() async -> any BridgeContract.DiscoveryToken {
        await client.startDiscovery()
    }

    func connect(
        _ address: Bluetooth.Address, requirements: LinkRequirements,
        handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(RadioError) -> any DeviceLink {
        do throws(BlueZError) {
            return try await client.connect(address, requirements: requirements, handler: handler)
        } catch {
            throw RadioError(error)
        }
    }

    func cancelConnecting(_ address: Bluetooth.Address) {
        client.assumeIsolated { $0.cancelConnect(address) }
    }

    func use(serviceData services: Set<UUID>, companies: Set<UInt16>) {
        client.assumeIsolated { $0.use(serviceData: services, companies: companies) }
    }

    func avoid(_ adapters: Set<String>) { client.assumeIsolated { $0.avoid(adapters) } }

    func pair(_ address: Bluetooth.Address, requirements: LinkRequirements) async throws(RadioError) {
        do throws(BlueZError) {
            try await client.pair(address, requirements: requirements)
        } catch {
            throw RadioError(error)
        }
    }

    func forget(_ address: Bluetooth.Address) async throws(RadioError) {
        do throws(BlueZError) {
            try await client.forget(address)
        } catch {
            throw RadioError(error)
        }
    }

    func replayIfConnected(_ address: Bluetooth.Address) async { await client.replayIfConnected(address) }

    func replayKnown() async { await client.replayKnown() }

    func describe() async -> RadioDescription { await client.describe() }
}

extension BlueZ.DiscoveryToken: BridgeContract.DiscoveryToken {}
