import Bluetooth
import DeviceKit

extension TapMachine {
    /// The interval of battery reads. The bridge reads the level because no document states whether a TAP notifies it.
    static let charge = KeepAlive("battery", every: .seconds(300))

    mutating func read(_ characteristic: CharacteristicID, _ result: ReadResult, _ effects: inout Effects) {
        if phase == .handshake {
            guard handshake.awaitsRead(of: characteristic) else { return }
            if case .success(let bytes) = result { learn(characteristic, bytes, &effects) }
            return go(on: handshake.read(characteristic, result, &effects), &effects)
        }
        guard phase == .online else { return }
        if case .success(let bytes) = result { learn(characteristic, bytes, &effects) }
        if characteristic == TapGATT.deviceName, let renaming = renamings.complete() {
            nameWasRead(renaming, result, &effects)
        }
    }

    /// Stores a value that describes the device.
    mutating func learn(_ characteristic: CharacteristicID, _ bytes: [UInt8], _ effects: inout Effects) {
        let text = String(padded: bytes)
        switch characteristic {
        case TapGATT.manufacturer: info.manufacturer = text
        case TapGATT.serial: info.serial = text
        case TapGATT.hardware:
            info.hardware = text
            versions.hardware = text.flatMap { TapVersion($0) }
        case TapGATT.firmware:
            info.firmware = text
            versions.firmware = text.flatMap { TapVersion($0) }
        case TapGATT.bootloader: info.bootloader = text
        case TapGATT.visionModel: info.modelVersion = text
        case TapGATT.secondFirmware: info.secondFirmware = text
        case TapGATT.deviceName: TapFamily.deviceName.publish(text ?? "", &effects)
        case TapGATT.battery: publishBattery(bytes, &effects)
        default: break
        }
    }

    func publishBattery(_ bytes: [UInt8], _ effects: inout Effects) {
        guard let level = bytes.first, level <= 100 else { return }
        TapFamily.battery.publish(.init(level: level), &effects)
    }

    mutating func readBattery(_ effects: inout Effects) {
        guard phase == .online else { return }
        if profile.canRead(TapGATT.battery) { effects.read(TapGATT.battery) }
        Self.charge.arm(&effects)
    }

    // MARK: The name

    mutating func rename(_ id: CommandID, _ name: String, _ effects: inout Effects) throws(CommandError) {
        guard profile.has(TapGATT.deviceName) else {
            throw CommandError(.notSupported, "device_name: this TAP does not have a name characteristic")
        }
        write(TapGATT.deviceName, Array(name.utf8), for: .name(id, name), &effects)
    }

    mutating func nameWritten(
        _ id: CommandID, _ name: String, _ result: WriteResult, _ effects: inout Effects
    ) {
        if case .failure(let error) = result { return effects.answer(id, .failed(CommandError(error))) }
        renamings.read(for: Renaming(id: id, name: name), &effects)
    }

    /// Compares the name that the TAP reports with the requested name. A TAP can truncate a long name; no source
    /// documents the limit.
    private func nameWasRead(_ asked: Renaming, _ result: ReadResult, _ effects: inout Effects) {
        switch result {
        case .failure(let error): effects.answer(asked.id, .failed(CommandError(error)))
        case .success(let bytes):
            let present = String(padded: bytes) ?? ""
            // A name with trailing spaces cannot be distinguished from a shorter name that is padded with spaces.
            if present == String(padded: Array(asked.name.utf8)) {
                effects.answer(asked.id, .ok)
            } else {
                effects.answer(asked.id, .failed(.deviceError, "the TAP now reports the name \"\(present)\""))
            }
        }
    }
}
