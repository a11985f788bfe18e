import Bluetooth
import DeviceKit

extension BeltMachine {
    /// Returns the writes that silence a channel; nil silences all channels. The write that takes effect in the
    /// current mode comes first.
    ///
    /// A stop (`30`) takes effect only in app mode. In every mode, the belt accepts a limited vibration on channel 0,
    /// including the pattern without vibration. The other channels do not vibrate outside app mode. If the mode can
    /// change before the write arrives, both a stop and a silent vibration are written.
    func silence(of channel: UInt8?) -> [BeltVibrationCommand] {
        switch (channel, mode) {
        case (nil, .app):
            vibrations.mayVibrate(0, at: now)
                ? [.stop(channel: nil), .noVibration] : [.stop(channel: nil)]
        case (nil, _):
            isEnteringAppMode || mode == nil
                ? [.noVibration, .stop(channel: nil)] : [.noVibration]
        case (0?, _): [.noVibration]
        case (let channel?, .app): [.stop(channel: channel)]
        case (_?, _): []
        }
    }

    /// Whether a stop of a channel, or of all channels if nil, certainly takes effect. This is the case if the protocol
    /// guarantees a stop in the current mode, and no system signal may be playing. A system signal does not belong to a
    /// channel, so a stop may not end it.
    func isObeyed(stopOf channel: UInt8?) -> Bool {
        guard mode?.obeysStops == true else { return false }
        return (channel ?? 0) != 0 || !vibrations.mayBeSignal(at: now)
    }

    /// Stops a channel, or all channels if nil, ahead of queued writes. If a vibration is already being written, a
    /// second stop is written after this vibration.
    mutating func silence(_ channel: UInt8?, for id: CommandID?, _ effects: inout Effects) {
        let isBehind = vibrations.isAnyOnItsWay
        if isBehind {
            for command in silence(of: channel) {
                write(command, for: .silence(nil, isCertain: true), priority: .ahead, &effects)
            }
        }
        silence(channel, for: id, priority: isBehind ? .normal : .ahead, &effects)
    }

    /// Stops a channel, or all channels if nil, with the given priority. The command is answered after the belt
    /// acknowledges the writes.
    mutating func silence(
        _ channel: UInt8?, for id: CommandID?, priority: Write.Priority, _ effects: inout Effects
    ) {
        let commands = silence(of: channel)
        let isCertain = isObeyed(stopOf: channel)
        vibrations.owe(channel, in: mode, at: now)
        if commands.isEmpty, let id { effects.answer(id, isCertain ? .ok : .unconfirmed) }
        for (index, command) in commands.enumerated() {
            write(
                command, for: .silence(index == 0 ? id : nil, isCertain: isCertain), priority: priority,
                &effects)
        }
    }

    /// Repeats, in a new mode, the stops that the belt may not have obeyed in an earlier mode.
    mutating func settleStops(in mode: BeltMode, _ effects: inout Effects) {
        for command in vibrations.takeOwed(in: mode) {
            write(command, for: .silence(nil, isCertain: true), priority: .ahead, &effects)
        }
    }

    /// Cancels the queued commands that would make the channel vibrate, because a stop replaces them; nil means any
    /// channel.
    mutating func supersedeVibrations(on channel: UInt8?, _ effects: inout Effects) {
        let dropped = queue.remove { $0.wouldBeFelt(on: channel) }
        for request in dropped { effects.answer(request.id, .superseded) }
        if case .vibrate(let vibration) = change?.next,
            channel == nil || vibration.configuredChannel == channel
        {
            if let id = change?.command { effects.answer(id, .superseded) }
            change?.command = nil
            change?.next = .answer
        }
    }

    /// Cancels a direction that is not shown yet, because the throttle delays it or the belt is not in app mode.
    mutating func supersedeSignal(_ effects: inout Effects) {
        throttle.cancel()
        navigationCommand.answer(.superseded, &effects)
        guard isEnteringAppMode, mode != .app else { return }
        // Navigation is paused, because otherwise its direction would be shown as soon as the belt is in app mode.
        perform(navigation.handle(.pause, mode: mode), &effects)
    }
}
