import Bluetooth
import DeviceKit
import Haptics
import JSON

/// The pattern that a TAP plays or is about to play.
struct HapticPlayer: Hashable, Sendable {
    /// What it is called.
    var name: String
    /// What is written when.
    var schedule: Schedule<HapticSequence>
    /// What of it the TAP does not show.
    var degraded: [String]
    /// The command that asked for it, until the first write carries that along.
    var command: CommandID?
    /// Whether its time has come.
    var hasBegun = false

    static func answer(_ degraded: [String]) -> Answer {
        .ok(degraded.isEmpty ? [:] : ["degraded": .array(degraded.map { .string($0) })])
    }

    /// How long a command waits for the first write; one that begins later is answered when it is taken.
    static let patience = Duration.seconds(10)
}

extension TapMachine {
    static let hapticTimer: TimerName = "haptic"

    func hapticReport(_ name: String?) -> JSON.Value { ["playing": name.map { .string($0) } ?? .null] }

    /// Carries out `haptic`.
    mutating func playHaptic(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        try requireHaptics(Feature.hapticName)
        let order: Order
        do { order = try Order(arguments.values) } catch { throw CommandError(error) }
        guard case .play(let performance) = order else {
            endHaptic(&effects)
            return effects.answer(id, .ok)
        }
        let timeline = performance.timeline
        let rendering = HapticRendering(timeline)
        var player = HapticPlayer(
            name: performance.name,
            schedule: Schedule(rendering.cues, of: timeline, from: now + performance.delay),
            degraded: rendering.degraded + (performance.hasSound ? ["sound"] : []), command: id)
        if player.schedule.first - now > HapticPlayer.patience || rendering.cues.isEmpty {
            player.command = nil
            effects.answer(id, HapticPlayer.answer(player.degraded))
        }
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
        guard now >= player.schedule.start else {
            return effects.startTimer(Self.hapticTimer, after: player.schedule.start - now)
        }
        let begins = !player.hasBegun
        player.hasBegun = true
        let due = player.schedule.take(at: now)
        if begins { effects.publish(Feature.hapticName, hapticReport(player.name)) }
        // A rhythm whose time is over by now would only delay the next.
        if let (sequence, lateness) = due, lateness < sequence.time {
            vibrationEnd = max(vibrationEnd, now + sequence.time)
            if let id = player.command {
                write(GATT.haptics, sequence.bytes, for: .haptic(id, degraded: player.degraded), &effects)
            } else {
                effects.write(GATT.haptics, sequence.bytes, writeKind(GATT.haptics))
            }
            player.command = nil
        }
        haptic = player
        guard now < player.schedule.end else {
            if let id = player.command {
                effects.answer(id, .failed(.timeout, "the pattern's time was over before it could begin"))
            }
            return finishHaptic(&effects)
        }
        effects.startTimer(Self.hapticTimer, after: player.schedule.next - now)
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
        let isUnderWay = writes.values.contains { purpose in
            switch purpose {
            case .vibration, .haptic: true
            case .slot, .name: false
            }
        }
        guard isUnderWay || now < vibrationEnd else { return }
        vibrationEnd = .zero
        effects.write(
            GATT.haptics, HapticSequence.silence, writeKind(GATT.haptics), priority: .ahead)
        // What is on its way already may be played behind the silence.
        if isUnderWay { effects.write(GATT.haptics, HapticSequence.silence, writeKind(GATT.haptics)) }
    }

    /// The pattern is over.
    mutating func finishHaptic(_ effects: inout Effects) {
        effects.cancelTimer(Self.hapticTimer)
        let hadBegun = haptic?.hasBegun ?? false
        haptic = nil
        if hadBegun { effects.publish(Feature.hapticName, hapticReport(nil)) }
    }
}

extension CommandError {
    /// What is wrong with a pattern, for the one who sent it.
    init(_ error: HapticsError) {
        self.init(Code(rawValue: error.code.rawValue) ?? .invalidValue, error.description)
    }
}
