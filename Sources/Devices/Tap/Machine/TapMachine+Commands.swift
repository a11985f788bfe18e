import Bluetooth
import DeviceKit
import JSON

extension TapMachine {
    /// Carries out or queues a command, or refuses it.
    mutating func take(_ id: CommandID, _ feature: String, _ arguments: Arguments, _ effects: inout Effects) {
        do throws(CommandError) {
            guard phase == .online else { throw .notConnected("TAP") }
            switch feature {
            case TapFamily.inputMode: try setMode(id, TapFamily.inputMode.parse(arguments), &effects)
            case TapFamily.xrState: try setXRState(id, TapFamily.xrState.parse(arguments).value, &effects)
            case TapFamily.vibrate: try vibrate(id, TapFamily.vibrate.parse(arguments).value, &effects)
            case TapFamily.sensing: try setSensing(id, TapFamily.sensing.parse(arguments), &effects)
            case TapFamily.sensitivity:
                try setSensitivity(id, TapFamily.sensitivity.parse(arguments), &effects)
            case TapFamily.standby: try setStandby(id, TapFamily.standby.parse(arguments).value, &effects)
            case Feature.hapticName: try playHaptic(id, arguments, &effects)
            case TapFamily.deviceName: try rename(id, TapFamily.deviceName.parse(arguments).value, &effects)
            default: throw CommandError(.unknownFeature, "a TAP has no command \(feature)")
            }
        } catch {
            effects.answer(id, .failed(error))
        }
    }

    mutating func written(
        _ token: WriteToken, _ characteristic: CharacteristicID, _ result: WriteResult,
        _ effects: inout Effects
    ) {
        guard let purpose = writes.complete(token) else {
            if case .failure(let error) = result {
                effects.remark(.debug, "a write to \(characteristic) failed: \(error)")
            }
            return
        }
        switch purpose {
        case .slot(let command): slotWritten(command, result, &effects)
        case .frame: frameWritten(result, &effects)
        case .name(let id, let name): nameWritten(id, name, result, &effects)
        case .haptic(let id, let answer):
            if case .failure(let error) = result {
                effects.answer(id, .failed(CommandError(error)))
                endHaptic(&effects)
            } else {
                effects.answer(id, answer)
            }
        case .vibration(let id, let time):
            if case .success = result { vibrationEnd = now + time }
            effects.answer(id, Answer(result))
        }
    }

    // MARK: Haptics

    private mutating func vibrate(
        _ id: CommandID, _ milliseconds: [Int], _ effects: inout Effects
    ) throws(CommandError) {
        guard let sequence = TapHapticSequence(milliseconds: milliseconds) else { throw .unreadable }
        try requireHaptics(TapFamily.vibrate.name)
        // The new rhythm replaces a pattern that plays, so the command that started the pattern is answered as
        // superseded.
        if let id = haptic?.command { effects.answer(id, .superseded) }
        finishHaptic(&effects)
        writeHaptic(sequence.bytes, for: .vibration(id, sequence.time), &effects)
    }

    /// Throws an error if the TAP has no vibration command.
    func requireHaptics(_ feature: String) throws(CommandError) {
        guard !isFramed else { return }
        try versions.require(.haptics)
        guard profile.has(TapGATT.haptics) else {
            throw CommandError(.notSupported, "\(feature): this TAP has no vibration command")
        }
    }

    /// Stops a vibration that may still play. After a lost broker or a stalled bridge, a plain vibration is not
    /// stopped: it ends automatically after at most 45 s. A pattern is also stopped when the broker is lost.
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
