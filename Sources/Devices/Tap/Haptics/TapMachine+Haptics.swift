import Bluetooth
import DeviceKit
import Haptics

extension TapMachine {
    mutating func playHaptic(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        try requireHaptics(Feature.hapticName)
        guard case .play(var performance) = try Order(arguments) else {
            endHaptic(&effects)
            return effects.answer(id, .ok)
        }
        let timeline = performance.timeline(over: haptic, at: now, &effects)
        let rendering = TapHapticRendering(timeline)
        let player = HapticPlayer(
            performance, rendering.cues, of: timeline, degraded: rendering.degraded, for: id, at: now,
            &effects)
        if haptic != nil {
            if player.schedule.first > now { silence(&effects) }
            if player.schedule.start > now { finishHaptic(&effects) }
        }
        haptic = player
        advanceHaptic(&effects)
    }

    /// Writes the rhythm that is due and starts the timer for the next rhythm.
    mutating func advanceHaptic(_ effects: inout Effects) {
        guard var player = haptic, phase == .online else { return }
        let turn = player.advance(at: now)
        guard player.hasBegun else { return player.arm(at: now, &effects) }
        if turn.begins { effects.publish(playing: player.name) }
        // A rhythm that would be over by now is not written, because its write would only delay the next rhythm.
        if let (sequence, lateness) = turn.due, lateness < sequence.time {
            vibrationEnd = max(vibrationEnd, now + sequence.time)
            if let id = player.takeCommand() {
                writeHaptic(sequence.bytes, for: .haptic(id, player.answer), &effects)
            } else {
                writeHaptic(sequence.bytes, &effects)
            }
        }
        if turn.isOver { player.missed(&effects) }
        haptic = player
        if turn.isOver { finishHaptic(&effects) } else { player.arm(at: now, &effects) }
    }

    /// Stops the pattern immediately.
    mutating func endHaptic(_ effects: inout Effects) {
        guard let player = haptic else { return }
        if let id = player.command { effects.answer(id, .superseded) }
        if player.hasBegun, phase == .online { silence(&effects) }
        finishHaptic(&effects)
    }

    /// Stops the motor, whatever plays.
    mutating func silence(_ effects: inout Effects) {
        let isUnderWay = writes.contains { purpose in
            switch purpose {
            case .vibration, .haptic: true
            case .slot, .name, .frame: false
            }
        }
        guard isUnderWay || now < vibrationEnd else { return }
        vibrationEnd = .zero
        writeHaptic(TapHapticSequence.silence, priority: .ahead, &effects)
        // The write of a rhythm is still in progress, and the TAP may receive the rhythm after this silence. So the
        // silence is written twice.
        if isUnderWay { writeHaptic(TapHapticSequence.silence, &effects) }
    }

    /// Returns the characteristic and the value to write for a rhythm.
    private func hapticPlace(_ sequence: [UInt8]) -> (CharacteristicID, [UInt8]) {
        isFramed
            ? (TapGATT.frameCommand, TapFrameCommand.vibrate(sequence).bytes) : (TapGATT.haptics, sequence)
    }

    /// Writes a rhythm and records the purpose of the write.
    mutating func writeHaptic(_ sequence: [UInt8], for purpose: Purpose, _ effects: inout Effects) {
        let (place, bytes) = hapticPlace(sequence)
        write(place, bytes, for: purpose, &effects)
    }

    private func writeHaptic(
        _ sequence: [UInt8], priority: Write.Priority = .normal, _ effects: inout Effects
    ) {
        let (place, bytes) = hapticPlace(sequence)
        effects.write(place, bytes, profile.writeKind(place), priority: priority)
    }

    mutating func finishHaptic(_ effects: inout Effects) {
        effects.cancelTimer(HapticPlayer<TapHapticSequence>.timer)
        let hadBegun = haptic?.hasBegun ?? false
        haptic = nil
        if hadBegun { effects.publish(playing: nil) }
    }
}
