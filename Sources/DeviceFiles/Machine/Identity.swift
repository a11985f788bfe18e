import Bluetooth
import DeviceKit

/// The description of a device, read from its Device Information service (180A of the Bluetooth SIG).
struct Identity {
    private static let characteristics = [0x2A29, 0x2A24, 0x2A25, 0x2A26, 0x2A27].map {
        CharacteristicID(service: 0x180A, uuid: UUID($0))
    }

    private var info: DeviceInfo
    private var missing: Set<CharacteristicID> = []

    /// Whether no read is outstanding.
    var isComplete: Bool { missing.isEmpty }

    /// - Parameter manufacturer: The manufacturer according to the file, for a device that does not report it.
    init(manufacturer: String? = nil) { info = DeviceInfo(manufacturer: manufacturer) }

    /// Starts to read the values that the device provides. Called after the setup. Each value is read once. The device
    /// can be used even if the reads fail.
    mutating func begin(_ profile: LinkProfile, _ effects: inout Effects) {
        let readable = Self.characteristics.filter(profile.canRead)
        missing = Set(readable)
        for characteristic in readable { effects.read(characteristic) }
        if readable.isEmpty, info != DeviceInfo() { effects.append(.identify(info)) }
    }

    /// Handles the result of a read. After the last read, the description is complete and is reported.
    mutating func wasRead(_ characteristic: CharacteristicID, _ result: ReadResult, _ effects: inout Effects)
    {
        guard missing.remove(characteristic) != nil else { return }
        if case .success(let bytes) = result, let text = String(padded: bytes) { learn(characteristic, text) }
        if missing.isEmpty { effects.append(.identify(info)) }
    }

    private mutating func learn(_ characteristic: CharacteristicID, _ text: String) {
        switch characteristic.uuid {
        case 0x2A29: info.manufacturer = text
        case 0x2A24: info.model = text
        case 0x2A25: info.serial = text
        case 0x2A26: info.firmware = text
        case 0x2A27: info.hardware = text
        default: break
        }
    }
}
