import Bluetooth
import DBus
import EventLoop

/// What the daemon keeps of a link; belongs to the loop's thread.
final class LinkState {
    let number: UInt64
    let device: ObjectPath
    let address: Bluetooth.Address
    let table: GattTable
    let handler: @Sendable (LinkEvent) -> Void
    /// What is needed of the device.
    let requirements: Requirements
    /// The services of the device, as they were told last.
    var services: Set<UUID>
    /// Whether the device can be used, so that it need not bond any more.
    var isSettled = false
    /// Whether it was bonded at any time of the link.
    var wasPaired: Bool
    /// Whether this program asked for the end.
    var isClosing = false
    var isLost = false
    /// Makes the link anew, where the device has other services by now than the link knows.
    var renewal: LoopTimer?
    /// Whether somebody subscribed to a battery level that only bluetoothd reads.
    var watchesBattery = false
    /// The calls that wait for bluetoothd's answer, which does not come for all of them when the link is lost.
    var pending: [UInt64: Pending] = [:]
    /// The characteristics on which an operation is in flight, and who waits for its end.
    var turns: [ObjectPath: [CheckedContinuation<Void, Never>]] = [:]
    /// The newest write without response to each characteristic.
    var commands: [ObjectPath: UInt64] = [:]
    /// The characteristics that are taken for writing.
    var writers: [ObjectPath: AcquiredSocket] = [:]

    struct Pending {
        let operation: String
        let continuation: CheckedContinuation<Result<[Value], BlueZError>, Never>
    }

    init(
        number: UInt64, device: Device, table: GattTable, services: Set<UUID>, requirements: Requirements,
        handler: @escaping @Sendable (LinkEvent) -> Void
    ) {
        self.number = number
        self.device = device.path
        address = device.address
        self.table = table
        self.handler = handler
        self.services = services
        self.requirements = requirements
        wasPaired = device.isPaired
    }

    /// Whether the system uses it too.
    var isShared: Bool { requirements.isShared }

    func lostError(_ operation: String) -> BlueZError {
        BlueZError(.notConnected, operation, on: address.description, "the link is gone")
    }
}
