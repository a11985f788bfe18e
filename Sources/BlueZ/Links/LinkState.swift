import Bluetooth
import DBus
import EventLoop

/// The client's state of a link; belongs to the loop's thread.
final class LinkState {
    enum Phase {
        case up
        /// This program has requested the disconnect.
        case closing
        case lost
    }

    let number: UInt64
    let device: ObjectPath
    let address: Bluetooth.Address
    let table: GattTable
    let handler: @Sendable (LinkEvent) -> Void
    let requirements: LinkRequirements
    /// The UUIDs of all services that bluetoothd has reported for the device since the start of the link.
    var services: Set<UUID>
    /// Whether ``Link/settle()`` was called: the device is ready without a bond.
    var isSettled = false
    /// Whether the device was bonded at any time during the link.
    var wasPaired: Bool
    var phase = Phase.up
    /// The timer that renews the link after the device has changed its services.
    var renewal: LoopTimer?
    /// Whether this program subscribed to a battery level that only bluetoothd reads.
    var watchesBattery = false
    /// The calls in flight, in order; some of them remain unanswered when the link is lost.
    var calls: [LinkCall] = []
    /// The number of the newest write without response to each characteristic.
    var commands: [CharacteristicID: UInt64] = [:]
    private var writeTemplates: [Write.Kind: [CharacteristicID: CallTemplate]] = [:]

    init(
        number: UInt64, device: Device, table: GattTable, services: Set<UUID>, requirements: LinkRequirements,
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

    var isClosing: Bool { phase == .closing }

    /// Whether the host itself may use the device too, as an input device.
    var isShared: Bool { requirements.isInputDevice }

    func lostError(_ operation: String) -> BlueZError {
        BlueZError(.notConnected, operation, on: address.description, "the link has ended")
    }

    /// Returns the call template for one kind of write to a characteristic, from the cache if there is one.
    func writeTemplate(
        of id: CharacteristicID, _ kind: Write.Kind, at path: ObjectPath
    ) throws(DBusError) -> CallTemplate {
        if let template = writeTemplates[kind]?[id] { return template }
        var message = Message(
            call: "WriteValue", of: Names.characteristic, at: path, on: Names.service, [kind.options])
        message.startsService = false
        let template = try CallTemplate(message)
        writeTemplates[kind, default: [:]][id] = template
        return template
    }
}
