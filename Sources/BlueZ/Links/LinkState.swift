import Bluetooth
import DBus
import EventLoop

/// What the client keeps of a link; belongs to the loop's thread.
final class LinkState {
    enum Phase {
        case up
        /// This program has asked for the end.
        case closing
        case lost
    }

    let number: UInt64
    let device: ObjectPath
    let address: Bluetooth.Address
    let table: GattTable
    let handler: @Sendable (LinkEvent) -> Void
    /// What is needed of the device.
    let requirements: LinkRequirements
    /// The services of the device, as they were told last.
    var services: Set<UUID>
    /// Whether the device can be used, so that it need not bond any more.
    var isSettled = false
    /// Whether it was bonded at any time of the link.
    var wasPaired: Bool
    var phase = Phase.up
    /// Makes the link anew, where the device has other services by now than the link knows.
    var renewal: LoopTimer?
    /// Whether this program subscribed to a battery level that only bluetoothd reads.
    var watchesBattery = false
    /// The calls that are on their way, in order; not all of them are answered when the link is lost.
    var calls: [LinkCall] = []
    /// The newest write without response to each characteristic.
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

    /// Whether the system uses it too.
    var isShared: Bool { requirements.isInputDevice }

    func lostError(_ operation: String) -> BlueZError {
        BlueZError(.notConnected, operation, on: address.description, "the link is gone")
    }

    /// What writes of one kind to a characteristic are made of.
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
