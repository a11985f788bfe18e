import Bluetooth
import DeviceKit

extension BeltMachine {
    /// Writes a vibration command. The command is answered when the belt acknowledges the write.
    mutating func send(
        _ vibration: BeltVibrationCommand, for id: CommandID?, from source: BeltVibrationSource,
        _ effects: inout Effects
    ) {
        releaseHaptic(for: vibration, &effects)
        write(vibration, for: .vibration(id), from: source, &effects)
    }

    /// Removes a channel from the pattern that plays on it, because another vibration is about to set this channel.
    mutating func releaseHaptic(for vibration: BeltVibrationCommand, _ effects: inout Effects) {
        guard let channel = vibration.configuredChannel else { return }
        let isPatterns = haptic?.plays(on: channel) ?? false
        haptic?.release(channel)
        if isPatterns { endHaptic(&effects) }
    }

    /// Carries out `vibrate` and `pulse`, if the belt accepts them in its mode.
    mutating func vibrate(
        _ vibration: BeltVibrationCommand, _ id: CommandID, _ asked: BeltChannelArguments,
        _ effects: inout Effects
    ) throws(CommandError) {
        if case .stop(let channel) = vibration {
            endHaptic(of: channel, resuming: .everything, &effects)
            return silence(channel, for: id, priority: .normal, &effects)
        }
        let vibration = try allowed(vibration, isExclusive: asked.isExclusive)
        if mode == .app || vibration.isAcceptedOutsideAppMode {
            return send(vibration, for: id, from: .init(vibration), &effects)
        }
        guard asked.entersAppMode else {
            throw CommandError(
                .wrongMode,
                "the belt is in mode \(mode?.name ?? "unknown"); outside mode app it accepts only channel 0 "
                    + "with limited iterations and without clear_others; set mode app, or add "
                    + "\"enter_app_mode\":true")
        }
        appMode.isWanted = true
        request(.setMode(.app), until: .mode(.app), for: id, then: .vibrate(vibration), &effects)
    }

    /// Carries out `stop`, ahead of queued vibrations for the same channel.
    mutating func stop(_ request: BeltRequest, _ effects: inout Effects) throws(CommandError) {
        let channel = try BeltFamily.stop.parse(request.arguments).channel
        supersedeVibrations(on: channel, &effects)
        if channel == nil || channel == BeltSignal.navigationChannel { supersedeSignal(&effects) }
        endHaptic(of: channel, resuming: channel == nil ? .mode : .everything, &effects)
        silence(channel, for: request.id, &effects)
    }

    /// Ends the playing pattern if it plays on the channel that is about to be silenced; nil silences all channels.
    private mutating func endHaptic(of channel: UInt8?, resuming: BeltResumption, _ effects: inout Effects) {
        guard let channel else { return endHaptic(resuming: resuming, isSilenced: true, &effects) }
        guard haptic?.plays(on: channel) ?? false else { return }
        haptic?.release(channel)
        endHaptic(resuming: resuming, &effects)
    }

    /// Stops vibrations, depending on the cause.
    ///
    /// Without a broker, a navigation direction remains correct, and the wearer's buttons work. A lost broker therefore
    /// stops only patterns and the endless vibrations that commands started. A bridge that stalls or reloads its
    /// configuration stops nothing.
    mutating func stop(_ cause: StopCause, _ effects: inout Effects) {
        switch cause {
        case .allStop:
            for request in queue.remove(where: { _ in true }) { effects.answer(request.id, .superseded) }
            silenceAll(resuming: .nothing, &effects)
            perform(navigation.handle(.stop, mode: phase == .online ? mode : nil), &effects)
            stopOwnVibration(&effects)
        case .shutdown: silenceAll(resuming: .nothing, &effects)
        case .suspend:
            silenceAll(resuming: .mode, &effects)
            perform(navigation.handle(.pause, mode: phase == .online ? mode : nil), &effects)
        case .brokerLost:
            endHaptic(&effects)
            guard phase == .online else { return }
            for channel in vibrations.endless { silence(channel, for: nil, &effects) }
        case .late, .reload, .pathLost, .pathGone: break
        }
    }

    /// Silences all commanded vibrations.
    private mutating func silenceAll(resuming: BeltResumption, _ effects: inout Effects) {
        endHaptic(resuming: resuming, isSilenced: true, &effects)
        navigationCommand.answer(.superseded, &effects)
        guard phase == .online || phase == .handshake else { return }
        supersedeVibrations(on: nil, &effects)
        throttle.cancel()
        silence(nil, for: nil, &effects)
    }

    /// Leaves the modes in which the belt vibrates on its own, also if the belt is about to enter such a mode.
    private mutating func stopOwnVibration(_ effects: inout Effects) {
        guard phase == .online else { return }
        let modes: [BeltMode?] = [.compass, .crossing]
        var isEntering = false
        if case .mode(let wanted) = change?.goal { isEntering = modes.contains(wanted) }
        guard modes.contains(mode) || isEntering || hapticReturn != nil else { return }
        hapticReturn = nil
        request(mode: .wait, &effects)
    }

    mutating func notify(
        _ id: CommandID, _ asked: BeltFamily.NotifyCommand, _ effects: inout Effects
    ) throws(CommandError) {
        let channel = BeltSignal.notificationChannel
        let notice: BeltVibrationCommand?
        switch asked.kind {
        case .direction:
            guard let direction = asked.direction else { throw .unreadable }
            notice = BeltSignal.direction.command(
                on: channel, direction: direction, reference: asked.reference)
        case .warning: notice = BeltSignal.operationWarning.command(on: channel)
        case .criticalWarning: notice = BeltSignal.criticalWarning.command(on: channel)
        // This follows FSLib-iOS, which plays the system signal. FSLib-Android configures the same pattern on channel
        // 0.
        case .destinationReached: notice = .system(.destinationReached)
        case .battery: notice = BeltSignal.batteryLevel.command(on: channel)
        }
        guard let notice else { throw .unreadable }
        let vibration = try allowed(notice)
        if asked.kind == .destinationReached, asked.stopsNavigation {
            navigationCommand.answer(.superseded, &effects)
            perform(navigation.handle(.stop, mode: mode), &effects)
        }
        send(vibration, for: id, from: .notify, &effects)
    }
}
