import Bluetooth
import DeviceKit
import Haptics

extension BeltMachine {
    /// The channels for patterns in app mode. Channels that the oldest documents mention come first. The channel of
    /// navigation and channel 0 are excluded: channel 0 is for the command `notify` and for the belt's signal of an
    /// inaccurate compass.
    static let hapticChannels: [UInt8] = [3, 4, 5, 1]

    /// The duration from which the bridge changes the belt's mode for a pattern. A shorter pattern is not worth an
    /// interruption of the compass.
    private static let modeWorth = Duration.milliseconds(300)

    /// Whether a pattern plays. Navigation shows no direction until the pattern ends.
    var isPlaying: Bool { haptic?.player.hasBegun ?? false }

    mutating func playHaptic(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        guard case .play(var performance) = try Order(arguments) else { return stopHaptic(id, &effects) }
        try requireModeForHaptics()
        let place = try BeltFamily.hapticPlace.parse(arguments).place.place(firmware)
        try requireShort(performance.timeline.total)
        var olderAnswer = Effects()
        let timeline = performance.timeline(
            over: haptic?.player, placed: { place?.inPattern ?? $0 }, at: now, &olderAnswer)
        let rendering = BeltHapticRendering(timeline, slots: slots(for: timeline), firmware: firmware)
        for cue in rendering.cues { _ = try allowed(cue.message.command(on: 0, firmware: firmware)) }
        for effect in olderAnswer.list { effects.append(effect) }
        let isElsewhere = place != nil && performance.pattern.hasPositions
        var played = BeltPlayedPattern(
            player: HapticPlayer(
                performance, rendering.cues, of: timeline,
                degraded: rendering.degraded.union(isElsewhere ? [.position] : []), for: id, at: now,
                &effects))
        let schedule = played.player.schedule
        if let older = haptic {
            (played.newest, played.channels) = (older.newest, older.channels)
            if schedule.first > now {
                silenceHaptic(older, &effects)
            } else {
                let starting = Set(rendering.cues.filter { $0.time <= .zero }.map(\.message.slot))
                for slot in older.newest.keys.sorted() where !starting.contains(slot) {
                    if let channel = older.newest[slot]?.channel, vibrations.mayVibrate(channel, at: now) {
                        silence(channel, for: nil, priority: .normal, &effects)
                    }
                    played.newest[slot] = nil
                }
            }
            // If the new pattern starts later, the older pattern does not continue until then: it ends immediately.
            if schedule.start > now, older.player.hasBegun { finishHaptic(&effects) }
        }
        haptic = played
        advanceHaptic(&effects)
    }

    private func requireModeForHaptics() throws(CommandError) {
        switch mode {
        case .wait, .compass, .app, .crossing: return
        case .pause where navigation.isPauseOurs && !profile.isOverProxy: return
        case .pause:
            throw CommandError(
                .wrongMode, "the belt is paused by its wearer and does not vibrate while paused")
        case .standby, .calibration, nil:
            throw CommandError(
                .wrongMode, "the belt is in mode \(mode?.name ?? "unknown"), in which it plays no pattern")
        }
    }

    // MARK: Playing

    /// Writes the step that is due and starts the timer for the next step.
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
        for (index, (step, lateness)) in turn.all.enumerated() {
            guard !turn.all[(index + 1)...].contains(where: { $0.message.slot == step.slot }) else {
                continue
            }
            // A delayed tap is played late with its full length. A delayed longer vibration is shortened, so that it
            // ends on time.
            var remainder = step.tap == nil && lateness > .zero ? step.remainder(after: lateness) : step
            // No step follows the last step of the last pass.
            if now - lateness + .milliseconds(step.length) >= played.player.schedule.end {
                remainder?.isFollowed = false
            }
            if let remainder { write(remainder, &effects) }
        }
        if turn.begins { takeMotors(&effects) }
    }

    /// Silences the belt's own vibrations while a pattern plays: the navigation signal, and the compass, which only
    /// app mode silences. Crossing mode is not interrupted, because it would resume with another heading.
    private mutating func takeMotors(_ effects: inout Effects) {
        if mode == .app, navigation.state == .navigating {
            throttle.cancel()
            write(
                .stop(channel: BeltSignal.navigationChannel), for: .silence(nil, isCertain: true), &effects)
        } else if let mode, let end = haptic?.player.schedule.end, entersAppMode(for: end - now) {
            hapticReturn = mode
            request(mode: .app, &effects)
        }
    }

    /// Writes a step to the channel on which its slot plays in the current mode.
    private mutating func write(_ step: BeltHapticStep, _ effects: inout Effects) {
        guard var played = haptic else { return }
        let channel = hapticChannel(step.slot)
        played.newest[step.slot] = BeltPlayedPattern.Newest(step: step, start: now, channel: channel)
        defer { haptic = played }
        guard let channel else { return }
        played.channels.insert(channel)
        let command = step.command(on: channel, firmware: firmware)
        let answer = played.player.answer
        let purpose = played.player.takeCommand().map { Purpose.haptic($0, answer) } ?? .vibration(nil)
        write(command, for: purpose, from: .haptic, &effects)
    }

    /// The channels for patterns in app mode: those that do not play an endless vibration of another command. If all
    /// do, the first channel is used.
    private var freeHapticChannels: [UInt8] {
        let taken = vibrations.endless
        let free = Self.hapticChannels.filter { !taken.contains($0) }
        return free.isEmpty ? [Self.hapticChannels[0]] : free
    }

    /// The channel on which a slot of the pattern plays; nil if no channel is free. Outside app mode, only channel 0
    /// vibrates, so only slot 0 has a channel.
    private func hapticChannel(_ slot: Int) -> UInt8? {
        guard mode == .app else { return slot == 0 ? 0 : nil }
        let free = freeHapticChannels
        return slot < free.count ? free[slot] : nil
    }

    /// The number of channels on which a pattern plays at once.
    private func slots(for timeline: Timeline) -> Int {
        let isApp = mode == .app || isEnteringAppMode || entersAppMode(for: timeline.total)
        return isApp ? freeHapticChannels.count : 1
    }

    /// Whether the bridge switches the belt to app mode for a pattern of this duration. Over a proxy it does not, because
    /// it could not be certain to restore the mode.
    private func entersAppMode(for duration: Duration) -> Bool {
        (mode == .compass || mode == .pause) && change == nil && duration >= Self.modeWorth
            && !profile.isOverProxy
    }

    /// Continues the pattern after a change of the belt's mode: the change may have stopped the current steps.
    mutating func continueHaptic(in mode: BeltMode, _ effects: inout Effects) {
        if mode != .app { hapticReturn = nil }
        guard let player = haptic?.player else { return }
        switch mode {
        case .pause, .standby, .calibration:
            // In these modes nothing vibrates, so the channels need no silence.
            endHaptic(isSilenced: true, &effects)
        case .app, .wait, .compass, .crossing:
            guard player.hasBegun, let newest = haptic?.newest else { return }
            for (_, slot) in newest.sorted(by: { $0.key < $1.key }) {
                if let remainder = slot.step.remainder(after: now - slot.start) { write(remainder, &effects) }
            }
        }
    }

    // MARK: End

    /// Carries out the command `haptic` with `stop`. The command is answered after the belt acknowledges the silence.
    private mutating func stopHaptic(_ id: CommandID, _ effects: inout Effects) {
        let channel = isPlaying ? haptic?.channel : nil
        if let channel {
            haptic?.release(channel)
            silence(channel, for: id, priority: .normal, &effects)
        }
        endHaptic(&effects)
        if channel == nil { effects.answer(id, .ok) }
    }

    /// Stops the pattern immediately.
    ///
    /// - Parameters:
    ///   - resuming: The state that is restored after the pattern.
    ///   - isSilenced: Whether the caller silences every channel.
    mutating func endHaptic(
        resuming: BeltResumption = .everything, isSilenced: Bool = false, _ effects: inout Effects
    ) {
        guard let played = haptic else { return }
        if !isSilenced { silenceHaptic(played, &effects) }
        if let id = played.player.command { effects.answer(id, .superseded) }
        finishHaptic(resuming: resuming, &effects)
    }

    /// Silences the channels of a pattern. The silence is queued behind the writes of the pattern's steps.
    private mutating func silenceHaptic(_ played: BeltPlayedPattern, _ effects: inout Effects) {
        guard played.player.hasBegun, phase == .online else { return }
        for channel in played.channels.sorted()
        where played.plays(on: channel) || vibrations.mayVibrate(channel, at: now) {
            silence(channel, for: nil, priority: .normal, &effects)
        }
    }

    /// Ends the pattern: navigation shows the newest direction, and the previous mode is restored.
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
