package import Bluetooth

/// What a recording of the bridge says of one device: its links, and what went over each.
public struct RecordedDevice: Hashable, Sendable {
    /// Its name at the bridge.
    package var name: String
    /// Its family's name.
    package var family: String
    /// Its address, or what stands for it in the recording.
    package var address: Address
    /// Its links, in order; one at least.
    package var links: [Link]

    /// One link.
    package struct Link: Hashable, Sendable {
        /// The name that the device advertised, if it was known.
        package var advertisedName: String?
        package var mtu: Int
        package var isBonded: Bool
        /// All services that were known of the device.
        package var services: [UUID]
        /// The characteristics that the bridge asked for, in the order of their services.
        package var characteristics: [VirtualCharacteristic]
        /// When it began, in milliseconds of the recording.
        package var begin: Int
        /// What went over it, in order.
        package var steps: [Step] = []
        /// What each read of a characteristic gave, in order.
        package var reads: [CharacteristicID: [Value]] = [:]
    }

    /// What the client asked of the device, or what the device did.
    package struct Step: Hashable, Sendable {
        /// When, in milliseconds of the recording.
        package var time: Int
        /// Where it stands in the recording, from 1.
        package var line: Int
        package var action: Action

        /// Whether it is the client's: the device waits for it.
        package var isCause: Bool {
            switch action {
            case .write, .subscribe: true
            case .notify, .drop: false
            }
        }
    }

    /// What a step is.
    package enum Action: Hashable, Sendable {
        /// The client wrote a value, or one that the recording leaves out, and was refused with this ATT error code.
        case write(CharacteristicID, [UInt8]?, refusal: UInt8?)
        /// The client asked for notifications.
        case subscribe(CharacteristicID)
        /// The device notified a value.
        case notify(CharacteristicID, [UInt8])
        /// The link was lost, and the bridge had not closed it.
        case drop
    }

    /// What a read gave.
    package enum Value: Hashable, Sendable {
        case bytes([UInt8])
        /// An ATT error code (Core Specification, Vol 3, Part F, 3.4.1.1).
        case refused(UInt8)
    }
}

extension RecordedDevice {
    /// The device as a scenario has it.
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
