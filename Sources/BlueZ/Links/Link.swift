public import Bluetooth
import DBus

/// A link to a device, from the time at which its services are resolved until the link is lost.
///
/// Every operation ends no later than the link, even without an answer of bluetoothd.
public final class Link: Sendable {
    /// The device's address.
    public let address: Bluetooth.Address
    /// The adapter of the link: `hci0`.
    public let adapter: String
    /// The GATT table; its services include services that bluetoothd does not export.
    public let profile: LinkProfile
    /// The device's object path.
    public let path: String
    /// The object paths of the characteristics.
    public let characteristicPaths: [CharacteristicID: String]

    /// The number by which the client identifies the link.
    package let number: UInt64
    /// The client that created the link and carries out its operations.
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
    /// - Throws: ``BlueZError``; for a write without response only if bluetoothd did not accept the write. `cancelled`
    ///   if `isWanted` returns false.
    public func write(
        _ value: [UInt8], to characteristic: CharacteristicID, _ kind: Write.Kind = .withResponse,
        while isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws(BlueZError) {
        _ = try await client.perform(
            .write(Write(characteristic, value, kind)), link: number, while: isWanted
        ).get()
    }

    /// Subscribes to notifications or indications, which the link's handler receives. The first may arrive before this
    /// method returns.
    ///
    /// - Throws: ``BlueZError``.
    public func subscribe(_ characteristic: CharacteristicID) async throws(BlueZError) {
        _ = try await client.perform(.subscribe(characteristic), link: number).get()
    }

    /// Unsubscribes from notifications.
    ///
    /// - Throws: ``BlueZError``.
    public func unsubscribe(_ characteristic: CharacteristicID) async throws(BlueZError) {
        _ = try await client.perform(.unsubscribe(characteristic), link: number).get()
    }

    /// Reports that the device is ready, so that it does not need to bond. This device is then no longer a reason for
    /// the pairing agent to be the default agent, unless its bond is lost during the link.
    public func settle() async { await client.settle(link: number) }

    /// Closes the link; returns after it is closed, or after a bounded time.
    public func disconnect() async { await client.disconnect(link: number) }

    /// Removes this program's subscriptions, and leaves the link open for other programs.
    public func leave() async { await client.disconnect(link: number, staysConnected: true) }
}
