package import Bluetooth

/// The part of a recording that concerns one device: its connections and their contents.
public struct RecordedDevice: Hashable, Sendable {
    /// The device's name in the bridge.
    package var name: String
    package var family: String
    /// The device's address, or the address that replaces it in the recording.
    package var address: Address
    /// The connections, in order; never empty.
    package var links: [Link]

    /// A recorded connection.
    package struct Link: Hashable, Sendable {
        /// The name that the device advertised, if it was known.
        package var advertisedName: String?
        package var mtu: Int
        package var isBonded: Bool
        /// The services of the device, as far as the recording contains them.
        package var services: [UUID]
        /// The characteristics that the bridge used, in the order of their services.
        package var characteristics: [VirtualCharacteristic]
        /// When the connection started, in milliseconds from the start of the recording.
        package var begin: Int
        /// The operations on the connection, in order.
        package var steps: [Step] = []
        /// The results of the reads of each characteristic, in order.
        package var reads: [CharacteristicID: [Value]] = [:]
    }

    /// An operation of the client or of the device.
    package struct Step: Hashable, Sendable {
        /// When the step occurred, in milliseconds from the start of the recording.
        package var time: Int
        /// The number of the step's line in the recording, from 1.
        package var line: Int
        package var action: Action

        /// Whether the client performs the step. If so, the replayed device waits for the client.
        package var isCause: Bool {
            switch action {
            case .write, .subscribe: true
            case .advertise, .notify, .drop: false
            }
        }
    }

    package enum Action: Hashable, Sendable {
        /// The client wrote a value, which is nil if the recording omits it. A rejected write has an ATT error code.
        case write(CharacteristicID, [UInt8]?, refusal: UInt8?)
        /// The client subscribed to notifications.
        case subscribe(CharacteristicID)
        case notify(CharacteristicID, [UInt8])
        /// The device advertised data, by service and by company number.
        case advertise([UUID: [UInt8]], [UInt16: [UInt8]])
        /// The connection was lost, and the bridge had not closed it.
        case drop
    }

    /// What a read returned.
    package enum Value: Hashable, Sendable {
        case bytes([UInt8])
        /// An ATT error code (Core Specification, Vol 3, Part F, 3.4.1.1).
        case refused(UInt8)
    }
}

extension RecordedDevice {
    /// A scenario's device that replays this recorded device.
    package var scenario: Scenario.Device {
        let first = links[0]
        var device = Scenario.Device(
            name: name, model: .replay(self), address: address, mtu: min(max(first.mtu, 23), 517),
            isBonded: first.isBonded)
        let served = Set(links.flatMap { $0.characteristics.map(\.id.service) }).union(VirtualReplay.generic)
        device.alsoHas = first.services.filter { !served.contains($0) }
        return device
    }
}
