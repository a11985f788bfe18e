import DeviceKit
import Haptics
import JSON

// Plays haptic patterns, with the command of the device file that sets the strength of the vibration.
extension FileMachine {
    mutating func playHaptic(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        guard let strengths = plan.strengths, let feature = plan.hapticFeature else { return }
        guard case .play(var performance) = try Order(arguments) else {
            endHaptic(isReplaced: false, &effects)
            return effects.answer(id, .ok)
        }
        try requirePresence(feature)
        let timeline = performance.timeline(over: haptic, at: now, &effects)
        _ = haptic?.takeCommand()
        let rendering = HapticRendering(timeline, strengths)
        let player = HapticPlayer(
            performance, rendering.cues, of: timeline, degraded: rendering.degraded, for: id, at: now,
            &effects)
        if haptic != nil { endHaptic(isReplaced: player.schedule.first <= now, &effects) }
        haptic = player
        advanceHaptic(&effects)
    }

    /// Writes the newest strength that is due, and schedules the next strength of the pattern.
    mutating func advanceHaptic(_ effects: inout Effects) {
        guard var player = haptic, phase == .online else { return }
        let turn = player.advance(at: now)
        if turn.begins { effects.publish(playing: player.name) }
        if let value = turn.due?.message {
            let command = player.takeCommand()
            (haptic, strength) = (player, value)
            writeStrength(value, for: command, player.answer, &effects)
        } else {
            haptic = player
        }
        guard let player = haptic else { return }
        // After a short tap, the value for silence can be due after the end of the pattern, because the device does not
        // accept an earlier write.
        guard turn.isOver, player.schedule.next <= now else {
            timers.insert(Self.hapticTimer)
            return player.arm(at: now, &effects)
        }
        haptic?.missed(&effects)
        endHaptic(isReplaced: false, &effects)
    }

    private mutating func writeStrength(
        _ value: Decimal, for command: CommandID?, _ answer: Answer, _ effects: inout Effects
    ) {
        guard let strengths = plan.strengths, let feature = plan.hapticFeature else { return }
        var run = Run(feature: feature, command: command, values: strengths.arguments(value))
        (run.answer, run.isPattern) = (answer, true)
        do throws(CommandError) {
            try enqueue(run, &effects)
        } catch {
            if let command { effects.answer(command, .failed(error)) }
        }
    }

    /// Ends the pattern immediately.
    ///
    /// - Parameter isReplaced: Whether another command is about to set the strength, so that the value for silence is
    ///   not written.
    mutating func endHaptic(isReplaced: Bool, _ effects: inout Effects) {
        guard haptic != nil else { return }
        if let id = haptic?.takeCommand() { effects.answer(id, .superseded) }
        let (last, silent) = (strength, plan.strengths?.haptic.silent)
        finishHaptic(&effects)
        if !isReplaced, phase == .online, let last, let silent, last != silent {
            writeStrength(silent, for: nil, .ok, &effects)
        }
    }

    /// Removes the pattern, and reports that no pattern plays.
    mutating func finishHaptic(_ effects: inout Effects) {
        cancelTimer(Self.hapticTimer, &effects)
        let hadBegun = haptic?.hasBegun ?? false
        (haptic, strength) = (nil, nil)
        if hadBegun { effects.publish(playing: nil) }
    }
}
