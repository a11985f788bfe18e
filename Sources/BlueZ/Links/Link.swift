public import Bluetooth
import DBus

/// A link to a device, from its resolved services to its loss.
///
/// Every operation ends when the link does, whatever bluetoothd still says.
public final class Link: Sendable {
    /// The device.
    public let address: Bluetooth.Address
    /// The adapter that holds the link: `hci0`.
    public let adapter: String
    /// The GATT table; its services include those that bluetoothd keeps to itself.
    public let profile: LinkProfile
    /// The device's object path.
    public let path: String
    /// The object paths of the characteristics.
    public let characteristicPaths: [CharacteristicID: String]

    /// By which the client knows it.
    package let number: UInt64
    /// Carries out its operations.
    package let client: Client

    init(_ state: LinkState, device: Device, client: Client) {
        address = device.address
        adapter = device.adapter.name
        profile = LinkProfile(
            characteristics: state.table.properties, mtu: state.table.mtu ?? 23, isPaired: device.isPaired,
            name: device.displayName, services: state.services)
        path = device.path.description
        characteristicPaths = state.table.characteristics.mapValues(\.path.description)
        number = state.number
        self.client = client
    }

    /// Reads a value; see ``Client/perform(_:link:while:token:mayRetry:then:)``.
    ///
    /// - Throws: ``BlueZError``.
    public func read(_ characteristic: CharacteristicID) async throws(BlueZError) -> [UInt8] {
        try await client.perform(.read(characteristic), link: number).get()
    }

    /// Writes a value; see ``Client/perform(_:link:while:token:mayRetry:then:)``.
    ///
    /// - Throws: ``BlueZError``; for a command only that bluetoothd did not take it. `cancelled` if it is not wanted.
    public func write(
        _ value: [UInt8], to characteristic: CharacteristicID, _ kind: Write.Kind = .withResponse,
        while isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws(BlueZError) {
        _ = try await client.perform(
            .write(Write(characteristic, value, kind)), link: number, while: isWanted
        ).get()
    }

    /// Asks for notifications (or indications); they arrive at the link's handler, the first possibly before
    /// this returns.
    ///
    /// - Throws: ``BlueZError``.
    public func subscribe(_ characteristic: CharacteristicID) async throws(BlueZError) {
        _ = try await client.perform(.subscribe(characteristic), link: number).get()
    }

    /// Asks for no more notifications.
    ///
    /// - Throws: ``BlueZError``.
    public func unsubscribe(_ characteristic: CharacteristicID) async throws(BlueZError) {
        _ = try await client.perform(.unsubscribe(characteristic), link: number).get()
    }

    /// Tells that the device can be used, so that it need not bond any more: the agent asks no more to be the default one
    /// for its sake, unless the bond goes while the link lasts.
    public func settle() async { await client.settle(link: number) }

    /// Closes the link; returns when it is closed, or after a bounded time.
    public func disconnect() async { await client.disconnect(link: number) }

    /// Ends this program's part of the link, which stays for other programs: its subscriptions.
    public func leave() async { await client.disconnect(link: number, staysConnected: true) }
}
