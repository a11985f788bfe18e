import Bluetooth
import DeviceKit

extension BeltMachine {
    /// What silences a channel, or with nil all of them, the write first that the belt obeys in its present mode.
    ///
    /// A stop (`30`) acts in app mode only. In every mode the belt takes a limited vibration on channel 0, and so the
    /// pattern of no vibration; the other channels are not felt outside app mode. Where the mode may be another
    /// one by the time that the write arrives, both are written.
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

    /// Whether the belt is certain to obey a stop of a channel, or with nil of all: it is in a mode of which the
    /// protocol says so, and plays no signal of its own, which may be beside the channels.
    func isObeyed(stopOf channel: UInt8?) -> Bool {
        guard mode?.obeysStops == true else { return false }
        return (channel ?? 0) != 0 || !vibrations.mayBeSignal(at: now)
    }

    /// Stops a channel or all at once, ahead of what waits; once more behind vibrations that are on their way.
    mutating func silence(_ channel: UInt8?, for id: CommandID?, _ effects: inout Effects) {
        let isBehind = vibrations.isAnyOnItsWay
        if isBehind {
            for command in silence(of: channel) {
                write(command, for: .silence(nil, isCertain: true), priority: .ahead, &effects)
            }
        }
        silence(channel, for: id, priority: isBehind ? .normal : .ahead, &effects)
    }

    /// Stops a channel or all in the place that the priority gives, and answers when the belt has taken that.
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

    /// Repeats, in a new mode, the stops that the belt may not have obeyed in an earlier one.
    mutating func settleStops(in mode: BeltMode, _ effects: inout Effects) {
        for command in vibrations.takeOwed(in: mode) {
            write(command, for: .silence(nil, isCertain: true), priority: .ahead, &effects)
        }
    }

    /// Gives up what waits and would be felt on a channel, or with nil on any: a stop takes its place.
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

    /// Gives up a direction that is not shown yet: the throttle holds it back, or the belt is not in app mode.
    mutating func supersedeSignal(_ effects: inout Effects) {
        throttle.cancel()
        navigationCommand.answer(.superseded, &effects)
        guard isEnteringAppMode, mode != .app else { return }
        // It would be shown as soon as the belt is in app mode; so it is paused instead.
        perform(navigation.handle(.pause, mode: mode), &effects)
    }
}
