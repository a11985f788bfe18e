import Bluetooth
import DeviceKit
import Haptics

extension BeltMachine {
    /// The channels for patterns in app mode, those first that the oldest documents know too. Navigation has its own,
    /// and 0 belongs to notices and to the belt's doubts about its compass.
    private static let hapticChannels: [UInt8] = [3, 4, 5, 1]

    /// The shortest pattern for which another mode is worth while: the compass comes back sooner than that.
    private static let modeWorth = Duration.milliseconds(300)

    /// Whether a pattern has the motors, so that navigation shows nothing.
    var isPlaying: Bool { haptic?.player.hasBegun ?? false }

    /// Carries out `haptic`.
    mutating func playHaptic(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        guard case .play(let performance) = try Order(arguments) else { return stopHaptic(id, &effects) }
        try requireModeForHaptics()
        let timeline = performance.timeline
        let rendering = BeltHapticRendering(timeline)
        let place = try BeltFamily.hapticPlace.parse(arguments).place.place(firmware)
        var played = BeltPlayedPattern(
            player: HapticPlayer(
                performance, rendering.cues, of: timeline, degraded: rendering.degraded, for: id, at: now,
                &effects),
            place: place ?? BeltPlayedPattern.allRound(firmware))
        let schedule = played.player.schedule
        if let older = haptic {
            if let id = older.player.command { effects.answer(id, .superseded) }
            (played.channel, played.channels) = (older.channel, older.channels)
            if schedule.first > now { silenceHaptic(older, &effects) }
            // Until its time comes, the silence of the older one is over.
            if schedule.start > now, older.player.hasBegun { finishHaptic(&effects) }
        }
        haptic = played
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
        guard var played = haptic else { return }
        let turn = played.player.advance(at: now)
        defer { if let player = haptic?.player { player.arm(at: now, &effects) } }
        guard played.player.hasBegun else { return }
        if turn.isOver {
            played.player.missed(&effects)
            haptic = played
            return finishHaptic(&effects)
        }
        haptic = played
        if turn.begins { effects.publish(playing: played.player.name) }
        if let (step, lateness) = turn.due {
            // A tap that is late is felt late; what lasts still ends on time.
            let remainder = step.tap == nil && lateness > .zero ? step.remainder(after: lateness) : step
            if let remainder { write(remainder, &effects) }
        }
        if turn.begins { takeMotors(&effects) }
    }

    /// Silences what the belt shows of its own while a pattern plays: the navigation signal, and the compass, for which
    /// only app mode helps. Crossing mode is left alone: entered again it would hold another heading.
    private mutating func takeMotors(_ effects: inout Effects) {
        if mode == .app, navigation.state == .navigating {
            throttle.cancel()
            write(
                .stop(channel: BeltSignal.navigationChannel), for: .silence(nil, isCertain: true), &effects)
        } else if let mode, mode == .compass || mode == .pause, change == nil,
            let end = haptic?.player.schedule.end, end - now >= Self.modeWorth
        {
            hapticReturn = mode
            request(mode: .app, &effects)
        }
    }

    /// Writes a step to the channel that the belt's mode allows.
    private mutating func write(_ step: BeltHapticStep, _ effects: inout Effects) {
        guard var played = haptic else { return }
        let channel = hapticChannel
        played.channel = channel
        played.channels.insert(channel)
        let command = step.command(on: channel, at: played.place, firmware: firmware)
        let degraded = played.player.degraded
        let purpose =
            played.player.takeCommand().map { Purpose.haptic($0, degraded: degraded) } ?? .vibration(nil)
        write(command, for: purpose, from: .haptic, &effects)
        haptic = played
    }

    /// Outside app mode there is only channel 0; in it one that no command left vibrating.
    private var hapticChannel: UInt8 {
        guard mode == .app else { return 0 }
        let taken = vibrations.endless
        let free = Self.hapticChannels.first { !taken.contains($0) }
        return free ?? Self.hapticChannels[0]
    }

    /// The belt is in another mode: what it plays may be gone with the old one.
    mutating func continueHaptic(in mode: BeltMode, _ effects: inout Effects) {
        if mode != .app { hapticReturn = nil }
        guard let player = haptic?.player else { return }
        switch mode {
        case .pause, .standby, .calibration:
            // In these modes nothing vibrates.
            endHaptic(isSilenced: true, &effects)
        case .app, .wait, .compass, .crossing:
            guard player.hasBegun, let (step, age) = player.schedule.current(at: now),
                let remainder = step.remainder(after: age)
            else { return }
            write(remainder, &effects)
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
        resuming: BeltResumption = .everything, isSilenced: Bool = false, _ effects: inout Effects
    ) {
        guard let played = haptic else { return }
        if !isSilenced { silenceHaptic(played, &effects) }
        if let id = played.player.command { effects.answer(id, .superseded) }
        finishHaptic(resuming: resuming, &effects)
    }

    /// Silences a pattern in its place behind its steps.
    private mutating func silenceHaptic(_ played: BeltPlayedPattern, _ effects: inout Effects) {
        guard played.player.hasBegun, phase == .online else { return }
        for channel in played.channels.sorted()
        where channel == played.channel || vibrations.mayVibrate(channel, at: now) {
            silence(channel, for: nil, priority: .normal, &effects)
        }
    }

    /// The pattern is over: navigation shows the newest direction, and the mode is what it was.
    private mutating func finishHaptic(resuming: BeltResumption = .everything, _ effects: inout Effects) {
        effects.cancelTimer(HapticPlayer<BeltHapticStep>.timer)
        let hadBegun = isPlaying
        haptic = nil
        if hadBegun { effects.publish(playing: nil) }
        guard resuming != .nothing, phase == .online else { return }
        if navigation.state == .navigating {
            hapticReturn = nil
            if resuming == .everything, mode == .app, hadBegun { perform([.signal], &effects) }
        } else if let former = hapticReturn {
            if appMode.isWanted { hapticReturn = nil } else { request(mode: former, &effects) }
        }
    }
}
