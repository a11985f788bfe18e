import Bluetooth
import DeviceKit
import Haptics

extension TapMachine {
    /// Carries out `haptic`.
    mutating func playHaptic(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        try requireHaptics(Feature.hapticName)
        guard case .play(let performance) = try Order(arguments) else {
            endHaptic(&effects)
            return effects.answer(id, .ok)
        }
        let timeline = performance.timeline
        let rendering = TapHapticRendering(timeline)
        let player = HapticPlayer(
            performance, rendering.cues, of: timeline, degraded: rendering.degraded, for: id, at: now,
            &effects)
        if let older = haptic {
            if let id = older.command { effects.answer(id, .superseded) }
            if player.schedule.first > now { silence(&effects) }
            if player.schedule.start > now { finishHaptic(&effects) }
        }
        haptic = player
        advanceHaptic(&effects)
    }

    /// Writes what is due and waits for what is next.
    mutating func advanceHaptic(_ effects: inout Effects) {
        guard var player = haptic, phase == .online else { return }
        let turn = player.advance(at: now)
        guard player.hasBegun else { return player.arm(at: now, &effects) }
        if turn.begins { effects.publish(playing: player.name) }
        // A rhythm whose time is over by now would only delay the next.
        if let (sequence, lateness) = turn.due, lateness < sequence.time {
            vibrationEnd = max(vibrationEnd, now + sequence.time)
            if let id = player.takeCommand() {
                write(
                    TapGATT.haptics, sequence.bytes, for: .haptic(id, degraded: player.degraded), &effects)
            } else {
                effects.write(TapGATT.haptics, sequence.bytes, profile.writeKind(TapGATT.haptics))
            }
        }
        if turn.isOver { player.missed(&effects) }
        haptic = player
        if turn.isOver { finishHaptic(&effects) } else { player.arm(at: now, &effects) }
    }

    /// Ends the pattern now.
    mutating func endHaptic(_ effects: inout Effects) {
        guard let player = haptic else { return }
        if let id = player.command { effects.answer(id, .superseded) }
        if player.hasBegun, phase == .online { silence(&effects) }
        finishHaptic(&effects)
    }

    /// Silences the motor, whatever plays.
    mutating func silence(_ effects: inout Effects) {
        let isUnderWay = writes.contains { purpose in
            switch purpose {
            case .vibration, .haptic: true
            case .slot, .name: false
            }
        }
        guard isUnderWay || now < vibrationEnd else { return }
        vibrationEnd = .zero
        let kind = profile.writeKind(TapGATT.haptics)
        effects.write(TapGATT.haptics, TapHapticSequence.silence, kind, priority: .ahead)
        // What is on its way already may be played behind the silence.
        if isUnderWay { effects.write(TapGATT.haptics, TapHapticSequence.silence, kind) }
    }

    /// The pattern is over.
    mutating func finishHaptic(_ effects: inout Effects) {
        effects.cancelTimer(HapticPlayer<TapHapticSequence>.timer)
        let hadBegun = haptic?.hasBegun ?? false
        haptic = nil
        if hadBegun { effects.publish(playing: nil) }
    }
}
