import Bluetooth
import DeviceKit
import Haptics
import JSON

extension BeltMachine {
    static let hapticTimer: TimerName = "haptic"
    /// The channels for patterns in app mode, those first that the oldest documents know too. Navigation has its own,
    /// and 0 belongs to notices and to the belt's doubts about its compass.
    private static let hapticChannels: [UInt8] = [3, 4, 5, 1]

    /// The shortest pattern for which another mode is worth while: the compass comes back sooner than that.
    private static let modeWorth = Duration.milliseconds(300)

    /// Whether a pattern has the motors, so that navigation shows nothing.
    var isPlaying: Bool { haptic?.hasBegun ?? false }

    func hapticReport(_ name: String?) -> JSON.Value { ["playing": name.map { .string($0) } ?? .null] }

    /// Carries out `haptic`.
    mutating func playHaptic(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        let order: Order
        do { order = try Order(arguments.values) } catch { throw CommandError(error) }
        guard case .play(let performance) = order else { return stopHaptic(id, &effects) }
        try requireModeForHaptics()
        let timeline = performance.timeline
        let rendering = HapticRendering(timeline)
        var player = HapticPlayer(
            name: performance.name, place: try arguments.place(firmware) ?? HapticPlayer.allRound(firmware),
            schedule: Schedule(rendering.cues, of: timeline, from: now + performance.delay),
            degraded: performance.hasSound ? rendering.degraded + ["sound"] : rendering.degraded, command: id)
        if player.schedule.first - now > HapticPlayer.patience || rendering.cues.isEmpty {
            player.command = nil
            effects.answer(id, player.answer)
        }
        if let older = haptic {
            if let id = older.command { effects.answer(id, .superseded) }
            (player.channel, player.channels) = (older.channel, older.channels)
            if player.schedule.first > now { silenceHaptic(older, &effects) }
            // Until its time comes, the silence of the older one is over.
            if player.schedule.start > now, older.hasBegun { finishHaptic(&effects) }
        }
        haptic = player
        advanceHaptic(&effects)
    }

    private func requireModeForHaptics() throws(CommandError) {
        switch mode {
        case .wait, .compass, .app, .crossing: return
        case .pause where navigation.isPauseOurs: return
        case .pause:
            throw CommandError(.wrongMode, "the belt is paused by its wearer, and vibrates not at all then")
        case .standby, .calibration, nil:
            throw CommandError(
                .wrongMode, "the belt is in mode \(mode?.name ?? "unknown"), in which it plays no pattern")
        }
    }

    // MARK: Playing

    /// Writes what is due and waits for what is next.
    mutating func advanceHaptic(_ effects: inout Effects) {
        guard var player = haptic else { return }
        guard now >= player.schedule.start else {
            return effects.startTimer(Self.hapticTimer, after: player.schedule.start - now)
        }
        let begins = !player.hasBegun
        player.hasBegun = true
        if now >= player.schedule.end {
            if let id = player.command {
                effects.answer(id, .failed(.timeout, "the pattern's time was over before it could begin"))
            }
            haptic = player
            return finishHaptic(&effects)
        }
        let due = player.schedule.take(at: now)
        haptic = player
        if begins { effects.publish(Feature.hapticName, hapticReport(player.name)) }
        if let (step, lateness) = due {
            // A tap that is late is felt late; what lasts still ends on time.
            let rest = step.tap == nil && lateness > .zero ? step.rest(after: lateness) : step
            if let rest { write(rest, &effects) }
        }
        if begins { takeMotors(&effects) }
        effects.startTimer(Self.hapticTimer, after: player.schedule.next - now)
    }

    /// Silences what the belt shows of its own while a pattern plays: the navigation signal, and the compass, for which
    /// only app mode helps. Crossing mode is left alone: entered again it would hold another heading.
    private mutating func takeMotors(_ effects: inout Effects) {
        if mode == .app, navigation.state == .navigating {
            throttle.cancel()
            write(
                .stop(channel: Signal.navigationChannel), for: .silence(nil, isCertain: true), &effects)
        } else if let mode, mode == .compass || mode == .pause, confirmation == nil,
            let end = haptic?.schedule.end, end - now >= Self.modeWorth
        {
            hapticReturn = mode
            request(mode: .app, &effects)
        }
    }

    /// Writes a step to the channel that the belt's mode allows.
    private mutating func write(_ step: HapticStep, _ effects: inout Effects) {
        guard var player = haptic else { return }
        let channel = hapticChannel
        player.channel = channel
        player.channels.insert(channel)
        let command = step.command(on: channel, at: player.place, firmware: firmware)
        let purpose =
            player.command.map { Purpose.haptic($0, degraded: player.degraded) } ?? .vibration(nil)
        write(command, for: purpose, &effects)
        player.command = nil
        haptic = player
    }

    /// Outside app mode there is only channel 0; in it one that no command left vibrating.
    private var hapticChannel: UInt8 {
        guard mode == .app else { return 0 }
        let taken = vibrations.endless
        let free = Self.hapticChannels.first { !taken.contains($0) }
        return free ?? Self.hapticChannels[0]
    }

    /// The belt is in another mode: what it plays may be gone with the old one.
    mutating func continueHaptic(in mode: Mode, _ effects: inout Effects) {
        if mode != .app { hapticReturn = nil }
        guard let player = haptic else { return }
        switch mode {
        case .pause, .standby, .calibration:
            // In these modes nothing vibrates.
            endHaptic(isSilenced: true, &effects)
        case .app, .wait, .compass, .crossing:
            guard player.hasBegun, let (step, age) = player.schedule.current(at: now),
                let rest = step.rest(after: age)
            else { return }
            write(rest, &effects)
        }
    }

    // MARK: The end

    /// Carries out `haptic` `stop`, and answers when the belt has taken the silence.
    private mutating func stopHaptic(_ id: CommandID, _ effects: inout Effects) {
        let channel = isPlaying ? haptic?.channel : nil
        if let channel {
            haptic?.release(channel)
            silence(channel, for: id, priority: .normal, &effects)
        }
        endHaptic(&effects)
        if channel == nil { effects.answer(id, .ok) }
    }

    /// Ends the pattern now.
    ///
    /// - Parameters:
    ///   - resuming: What comes back of that which it suspended.
    ///   - isSilenced: Whether the caller silences every channel.
    mutating func endHaptic(
        resuming: Resumption = .everything, isSilenced: Bool = false, _ effects: inout Effects
    ) {
        guard let player = haptic else { return }
        if !isSilenced { silenceHaptic(player, &effects) }
        if let id = player.command { effects.answer(id, .superseded) }
        finishHaptic(resuming: resuming, &effects)
    }

    /// Silences a pattern in its place behind its steps.
    private mutating func silenceHaptic(_ player: HapticPlayer, _ effects: inout Effects) {
        guard player.hasBegun, phase == .online else { return }
        for channel in player.channels.sorted()
        where channel == player.channel || vibrations.mayVibrate(channel, at: now) {
            silence(channel, for: nil, priority: .normal, &effects)
        }
    }

    /// The pattern is over: navigation shows the newest direction, and the mode is what it was.
    private mutating func finishHaptic(resuming: Resumption = .everything, _ effects: inout Effects) {
        effects.cancelTimer(Self.hapticTimer)
        let hadBegun = isPlaying
        haptic = nil
        if hadBegun { effects.publish(Feature.hapticName, hapticReport(nil)) }
        guard resuming != .nothing, phase == .online else { return }
        if navigation.state == .navigating {
            hapticReturn = nil
            if resuming == .everything, mode == .app, hadBegun { perform([.signal], &effects) }
        } else if let former = hapticReturn {
            if appMode.isWanted { hapticReturn = nil } else { request(mode: former, &effects) }
        }
    }
}
