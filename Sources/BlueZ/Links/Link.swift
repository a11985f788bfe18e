public import Bluetooth
import DBus

/// A link to a device, from its resolved services to its loss.
///
/// One operation per characteristic is in flight at a time; what comes meanwhile waits in order. Only a write
/// without response waits for nothing. Every operation ends when the link does, whatever bluetoothd still says.
public final class Link: Sendable {
    /// The device.
    public let address: Bluetooth.Address
    /// The adapter that holds the link: `hci0`.
    public let adapter: String
    /// The characteristics that are there.
    public let characteristics: [CharacteristicID: CharacteristicProperties]
    /// The ATT MTU in bytes; 23 where BlueZ tells none.
    public let mtu: Int
    /// Whether the device is bonded.
    public let isPaired: Bool
    /// The name that the host knows the device by.
    public let name: String?
    /// The UUIDs of all services that bluetoothd knows of the device, those that it keeps to itself too.
    public let services: Set<UUID>
    /// The device's object path.
    public let path: String
    /// The object paths of the characteristics.
    public let characteristicPaths: [CharacteristicID: String]

    private let number: UInt64
    private let daemon: Daemon

    init(_ state: LinkState, device: Device, daemon: Daemon) {
        address = device.address
        adapter = device.adapter.name
        characteristics = state.table.properties
        mtu = state.table.mtu ?? 23
        isPaired = device.isPaired
        name = device.displayName
        services = state.services
        path = device.path.description
        characteristicPaths = state.table.characteristics.mapValues(\.path.description)
        number = state.number
        self.daemon = daemon
    }

    /// Reads a value.
    ///
    /// - Throws: ``BlueZError``.
    public func read(_ characteristic: CharacteristicID) async throws(BlueZError) -> [UInt8] {
        try await daemon.read(characteristic, link: number)
    }

    /// Writes a value.
    ///
    /// - Parameter isWanted: Is asked on the loop's thread whenever the value is about to leave: it may have waited for
    ///   its turn, or be tried again.
    /// - Throws: ``BlueZError``; for a command only that bluetoothd did not take it. `cancelled` if it is not wanted.
    public func write(
        _ value: [UInt8], to characteristic: CharacteristicID, _ kind: WriteKind = .withResponse,
        while isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws(BlueZError) {
        try await daemon.write(value, to: characteristic, kind, link: number, while: isWanted)
    }

    /// Asks for notifications (or indications); they arrive at the link's handler, the first possibly before
    /// this returns.
    ///
    /// - Throws: ``BlueZError``.
    public func subscribe(_ characteristic: CharacteristicID) async throws(BlueZError) {
        try await daemon.subscribe(characteristic, link: number)
    }

    /// Asks for no more notifications.
    ///
    /// - Throws: ``BlueZError``.
    public func unsubscribe(_ characteristic: CharacteristicID) async throws(BlueZError) {
        try await daemon.unsubscribe(characteristic, link: number)
    }

    /// Takes the characteristic for this program alone: from now on writes without response go through a socket,
    /// past the bus. Nobody else can write to it then, a guardian process neither.
    ///
    /// - Throws: ``BlueZError``.
    public func acquireWriting(_ characteristic: CharacteristicID) async throws(BlueZError) {
        try await daemon.acquireWriting(characteristic, link: number)
    }

    /// The descriptors of a characteristic.
    public func descriptors(of characteristic: CharacteristicID) async -> [UUID] {
        await daemon.descriptors(of: characteristic, link: number)
    }

    /// Reads a descriptor's value.
    ///
    /// - Throws: ``BlueZError``.
    public func readDescriptor(
        _ descriptor: UUID, of characteristic: CharacteristicID
    ) async throws(BlueZError) -> [UInt8] {
        try await daemon.readDescriptor(descriptor, of: characteristic, link: number)
    }

    /// Tells that the device can be used, so that it need not bond any more: the agent asks no more to be the default one
    /// for its sake, unless the bond goes while the link lasts.
    public func settle() async { await daemon.settle(link: number) }

    /// Closes the link; returns when it is closed, or after a bounded time.
    public func disconnect() async { await daemon.disconnect(link: number) }

    /// Ends this program's part of the link, which stays for other programs: its subscriptions.
    public func leave() async { await daemon.leave(link: number) }
}
