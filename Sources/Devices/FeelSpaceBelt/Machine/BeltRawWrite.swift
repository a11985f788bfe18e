import Bluetooth
import DeviceKit

/// What raw bytes that a user writes cause, as far as the bridge must know it to stop the belt and to track its mode.
enum BeltRawWrite: Hashable, Sendable {
    /// The bytes neither start a vibration nor change the mode.
    case plain
    /// Starts or stops a vibration.
    case vibration(BeltVibrationCommand)
    /// The belt plays a signal once, outside the channels.
    case signal
    /// Requests another mode.
    case mode(BeltMode)

    /// Analyzes bytes for a characteristic.
    ///
    /// - Throws: An error if no stop is known for the resulting vibration, or if the bytes require a confirmation and
    ///   `isConfirmed` is false.
    init(_ bytes: [UInt8], to characteristic: CharacteristicID, isConfirmed: Bool) throws(CommandError) {
        self = .plain
        var needsConfirmation: String?
        switch characteristic {
        case BeltGATT.vibration: self = .vibration(try Self.vibration(bytes))
        case BeltGATT.parameterRequest:
            let request = BeltParameterRequest(bytes)
            switch request {
            case .setMode(let mode):
                self = .mode(mode)
                if mode.needsConfirmation { needsConfirmation = "mode \(mode.name)" }
            case .setIntensity(_, feedback: true): self = .signal
            case .reset: needsConfirmation = "a reset"
            case nil where bytes.starts(with: [0x01, 0x81]):
                throw CommandError(
                    .invalidValue,
                    "hex: mode \(bytes.count > 2 ? "\(bytes[2])" : "missing"); the bridge can stop vibrations in modes "
                        + BeltMode.allCases.map { "\($0.rawValue)" }.joined(separator: " ") + " only")
            case nil: needsConfirmation = "an unknown request"
            default: break
            }
        case BeltGATT.keepAlive, BeltGATT.sound: break
        case BeltGATT.sensorCommand:
            if bytes != BeltSensorPacket.startCommand { needsConfirmation = "a sensor command" }
        case BeltGATT.debugInput:
            if BeltDebugRequest(bytes) != .errorLog { needsConfirmation = "a debug command" }
        default: needsConfirmation = "a write to \(characteristic)"
        }
        if let needsConfirmation, !isConfirmed {
            throw CommandError(.missingField, "confirm: \(needsConfirmation) needs \"confirm\":true")
        }
    }

    /// Decodes a vibration command that the bridge knows how to stop.
    private static func vibration(_ bytes: [UInt8]) throws(CommandError) -> BeltVibrationCommand {
        guard let command = BeltVibrationCommand(bytes), command.bytes.count == bytes.count else {
            throw CommandError(
                .invalidValue,
                "hex: FE03 accepts a channel configuration (00 to 05, 18 bytes), a system signal (20 with 00 to 02), "
                    + "a stop (30 with 00 to 05 or FF) and pulses (40, 17 bytes); got \(Hex.string(bytes))")
        }
        return command
    }
}
