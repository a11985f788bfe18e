import Bluetooth
import DeviceKit
import JSON

extension TapMachine {
    /// Takes a command: carries it out in its turn, or refuses it.
    mutating func take(
        _ id: CommandID, _ feature: String, _ arguments: Arguments, _ effects: inout Effects
    ) {
        guard phase == .online else {
            return effects.answer(id, .failed(.deviceOffline, "the TAP is not connected"))
        }
        do throws(CommandError) {
            switch feature {
            case "input_mode": try setMode(id, arguments, &effects)
            case "xr_state": try setXRState(id, arguments, &effects)
            case "vibrate": try vibrate(id, arguments, &effects)
            case Feature.hapticName: try playHaptic(id, arguments, &effects)
            case "device_name": try rename(id, arguments, &effects)
            default: throw CommandError(.unknownFeature, "a TAP takes no \(feature)")
            }
        } catch {
            effects.answer(id, .failed(error))
        }
    }

    mutating func written(
        _ token: WriteToken, _ characteristic: CharacteristicID, _ result: Result<Void, OperationError>,
        _ effects: inout Effects
    ) {
        guard let purpose = writes.removeValue(forKey: token) else {
            if case .failure(let error) = result {
                effects.remark(.debug, "a write to \(characteristic) failed: \(error)")
            }
            return
        }
        switch purpose {
        case .slot(let command): slotWritten(command, result, &effects)
        case .name(let id, let name): nameWritten(id, name, result, &effects)
        case .haptic(let id, let degraded):
            if case .failure(let error) = result {
                effects.answer(id, .failed(CommandError(error)))
                endHaptic(&effects)
            } else {
                effects.answer(id, HapticPlayer.answer(degraded))
            }
        case .vibration(let id, let time):
            switch result {
            case .success:
                vibrationEnd = now + time
                effects.answer(id, .ok)
            case .failure(let error): effects.answer(id, .failed(CommandError(error)))
            }
        }
    }

    // MARK: Haptics

    private mutating func vibrate(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        guard let sequence = arguments.integers("durations_ms").flatMap(HapticSequence.init(milliseconds:))
        else { throw .unreadable }
        try requireHaptics("vibrate")
        // The rhythm takes the place of what plays.
        if let id = haptic?.command { effects.answer(id, .superseded) }
        finishHaptic(&effects)
        write(GATT.haptics, sequence.bytes, for: .vibration(id, sequence.time), &effects)
    }

    /// Refuses what a TAP without a vibration command cannot do.
    func requireHaptics(_ feature: String) throws(CommandError) {
        try versions.require(.haptics)
        guard profile.has(GATT.haptics) else {
            throw CommandError(.notSupported, "\(feature): this TAP has no vibration command")
        }
    }

    /// Ends a vibration that may still play. A lost broker or a late bridge does not: it ends by itself, after
    /// three quarters of a minute at the latest. A pattern ends with the broker too.
    mutating func stop(_ cause: StopCause, _ effects: inout Effects) {
        guard phase == .online else { return }
        switch cause {
        case .late, .reload, .pathLost, .pathGone: break
        case .brokerLost: endHaptic(&effects)
        case .allStop, .shutdown, .suspend:
            if let id = haptic?.command { effects.answer(id, .superseded) }
            finishHaptic(&effects)
            silence(&effects)
        }
    }
}

extension CommandError {
    /// The arguments are not as they were declared, which cannot come from a user.
    static let unreadable = CommandError(.internal, "the arguments do not fit their declaration")
}
