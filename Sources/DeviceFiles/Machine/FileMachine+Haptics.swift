import DeviceKit
import Haptics
import JSON

/// The pattern that a device plays or is about to play.
struct PatternPlayer: Sendable {
    /// What it is called.
    var name: String
    /// What is written when: values of the field.
    var schedule: Schedule<Decimal>
    /// What it is answered with.
    var answer: Answer
    /// The command that asked for it, until the first write carries that along.
    var command: CommandID?
    /// Whether its time has come.
    var hasBegun = false
    /// What was written last.
    var last: Decimal?

    /// How long a command waits for the first write; one that begins later is answered when it is taken.
    static let patience = Duration.seconds(10)
}

// Patterns, played by a command of the file.
extension FileMachine {
    static func hapticReport(_ name: String?) -> JSON.Value { ["playing": name.map { .string($0) } ?? .null] }

    mutating func playHaptic(_ id: CommandID, _ arguments: Arguments, _ effects: inout Effects)
        throws(CommandError)
    {
        guard let strengths = plan.strengths, let feature = plan.hapticFeature else { return }
        guard case .play(let performance) = try Order(checking: arguments) else {
            endHaptic(isReplaced: false, &effects)
            return effects.answer(id, .ok)
        }
        if let missing = file.features[feature].command?.steps.first(where: { !isPresent[$0.characteristic] })
        {
            throw CommandError(
                .notSupported, "this \(device) has no \(file.characteristics[missing.characteristic].name)")
        }
        let timeline = performance.timeline
        let rendering = HapticRendering(timeline, strengths)
        let degraded = rendering.degraded + (performance.hasSound ? ["sound"] : [])
        var player = PatternPlayer(
            name: performance.name,
            schedule: Schedule(rendering.cues, of: timeline, from: now + performance.delay),
            answer: .ok(degraded.isEmpty ? [:] : ["degraded": .array(degraded.map { .string($0) })]),
            command: id)
        if player.schedule.first - now > PatternPlayer.patience || rendering.cues.isEmpty {
            player.command = nil
            effects.answer(id, player.answer)
        }
        if haptic != nil { endHaptic(isReplaced: player.schedule.first <= now, &effects) }
        haptic = player
        advanceHaptic(&effects)
    }

    /// Writes what is due and waits for what is next.
    mutating func advanceHaptic(_ effects: inout Effects) {
        guard var player = haptic, phase == .online else { return }
        guard now >= player.schedule.start else {
            return startTimer(Self.hapticTimer, after: player.schedule.start - now, &effects)
        }
        if !player.hasBegun { effects.publish(Feature.hapticName, Self.hapticReport(player.name)) }
        player.hasBegun = true
        let due = player.schedule.take(at: now)
        let isOver = now >= player.schedule.end && player.schedule.next <= now
        haptic = player
        if let value = due?.message {
            haptic?.last = value
            haptic?.command = nil
            writeStrength(value, for: player.command, player.answer, &effects)
        }
        guard haptic != nil else { return }
        guard isOver else {
            return startTimer(Self.hapticTimer, after: player.schedule.next - now, &effects)
        }
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

    /// Ends the pattern now.
    ///
    /// - Parameter isReplaced: Whether what follows is written anyway, so that silence need not be.
    mutating func endHaptic(isReplaced: Bool, _ effects: inout Effects) {
        guard let player = haptic else { return }
        if let id = player.command { effects.answer(id, .superseded) }
        haptic?.command = nil
        let silent = plan.strengths?.haptic.silent
        finishHaptic(&effects)
        if !isReplaced, phase == .online, let last = player.last, let silent, last != silent {
            writeStrength(silent, for: nil, .ok, &effects)
        }
    }

    /// The pattern is over.
    mutating func finishHaptic(_ effects: inout Effects) {
        cancelTimer(Self.hapticTimer, &effects)
        let hadBegun = haptic?.hasBegun ?? false
        haptic = nil
        if hadBegun { effects.publish(Feature.hapticName, Self.hapticReport(nil)) }
    }
}
