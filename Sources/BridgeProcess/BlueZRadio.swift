import BlueZ
import Bluetooth
import BridgeCore
import DeviceKit

/// The bridge's radio: BlueZ behind the port that `BridgeCore` knows.
///
/// Notifications reach the session on the loop's thread without a hop.
struct BlueZRadio: Radio {
    private let client: Client

    /// Makes a radio of a view of bluetoothd, whose ``Client/run()`` a service keeps going.
    init(_ client: Client) { self.client = client }

    func onEvent(_ handler: @escaping @Sendable (RadioEvent) -> Void) {
        client.assumeIsolated { _ = $0.onEvent { handler(RadioEvent($0)) } }
    }

    func startDiscovery() async -> any BridgeCore.DiscoveryToken {
        Token(token: await client.startDiscovery())
    }

    func connect(
        _ address: Bluetooth.Address, requirements: LinkRequirements,
        handler: @escaping @Sendable (BridgeCore.LinkEvent) -> Void
    ) async throws(RadioError) -> any DeviceLink {
        do throws(BlueZError) {
            let link = try await client.connect(address, requirements: Requirements(requirements)) {
                handler(BridgeCore.LinkEvent($0))
            }
            return BlueZLink(link)
        } catch {
            throw RadioError(error)
        }
    }

    func pair(_ address: Bluetooth.Address, requirements: LinkRequirements) async throws(RadioError) {
        do throws(BlueZError) {
            try await client.pair(address, requirements: Requirements(requirements))
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

    func describe() async -> RadioDescription { RadioDescription(await client.describe()) }
}

/// A wish for discovery as the bridge knows it.
private struct Token: BridgeCore.DiscoveryToken {
    let token: BlueZ.DiscoveryToken

    func end() async { await token.end() }
}
