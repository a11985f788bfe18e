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
    /// Whether the system uses it too.
    let isShared: Bool
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
        number: UInt64, device: Device, table: GattTable, isShared: Bool,
        handler: @escaping @Sendable (LinkEvent) -> Void
    ) {
        self.number = number
        self.device = device.path
        address = device.address
        self.table = table
        self.handler = handler
        self.isShared = isShared
    }

    func lostError(_ operation: String) -> BlueZError {
        BlueZError(.notConnected, operation, on: address.description, "the link is gone")
    }
}
