import Bluetooth
import DeviceKit
import JSON

extension TapMachine {
    /// How often the charge is read, since nobody says whether a TAP notifies it.
    static let batteryPeriod = Duration.seconds(300)

    mutating func read(
        _ characteristic: CharacteristicID, _ result: Result<[UInt8], OperationError>,
        _ effects: inout Effects
    ) {
        guard !stepRead(characteristic, result, &effects), phase == .online else { return }
        if case .success(let bytes) = result { learn(characteristic, bytes, &effects) }
        if characteristic == GATT.deviceName { nameWasRead(result, &effects) }
    }

    /// Takes a value that says something of the device.
    mutating func learn(
        _ characteristic: CharacteristicID, _ bytes: [UInt8], _ effects: inout Effects
    ) {
        let text = String(padded: bytes)
        switch characteristic {
        case GATT.manufacturer: info.manufacturer = text
        case GATT.serial: info.serial = text
        case GATT.hardware:
            info.hardware = text
            versions.hardware = text.flatMap { Version($0) }
        case GATT.firmware:
            info.firmware = text
            versions.firmware = text.flatMap { Version($0) }
        case GATT.deviceName: effects.publish("device_name", .string(text ?? ""))
        case GATT.battery: publishBattery(bytes, &effects)
        default: break
        }
    }

    func publishBattery(_ bytes: [UInt8], _ effects: inout Effects) {
        guard let level = bytes.first, level <= 100 else { return }
        effects.publish("battery", ["level": .integer(Int(level))])
    }

    mutating func readBattery(_ effects: inout Effects) {
        guard phase == .online else { return }
        if profile.characteristics[GATT.battery]?.contains(.read) == true { effects.read(GATT.battery) }
        effects.startTimer(Self.batteryTimer, after: Self.batteryPeriod)
    }

    // MARK: The name

    mutating func rename(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        guard profile.has(GATT.deviceName) else {
            throw CommandError(.notSupported, "device_name: this TAP does not tell its name")
        }
        guard let name = arguments.text("device_name") else { throw .unreadable }
        guard name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw CommandError(.invalidValue, "device_name: no control characters")
        }
        write(GATT.deviceName, Array(name.utf8), for: .name(id, name), &effects)
    }

    mutating func nameWritten(
        _ id: CommandID, _ name: String, _ result: Result<Void, OperationError>, _ effects: inout Effects
    ) {
        if case .failure(let error) = result { return effects.answer(id, .failed(CommandError(error))) }
        renamings.append((id, name))
        effects.read(GATT.deviceName)
    }

    /// The TAP says what it calls itself now: it may cut a name that is too long for it, of which no source tells
    /// the limit.
    private mutating func nameWasRead(_ result: Result<[UInt8], OperationError>, _ effects: inout Effects) {
        guard !renamings.isEmpty else { return }
        let (id, name) = renamings.removeFirst()
        switch result {
        case .failure(let error): effects.answer(id, .failed(CommandError(error)))
        case .success(let bytes):
            let present = String(padded: bytes) ?? ""
            // Spaces at the end are told from padding by nobody.
            if present == String(padded: Array(name.utf8)) {
                effects.answer(id, .ok)
            } else {
                effects.answer(id, .failed(.deviceError, "the TAP calls itself \"\(present)\" now"))
            }
        }
    }
}
