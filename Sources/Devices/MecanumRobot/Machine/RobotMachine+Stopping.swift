import Bluetooth
import DeviceKit

// Stops: no motion and no weapon, written ahead of all other writes. Queued commands are dropped.
extension RobotMachine {
    private static let dropped = Answer.failed(.deviceError, "dropped: a stop came after it")

    /// Stops the robot.
    ///
    /// - Parameters:
    ///   - reason: The reason, which decides by default whether the power is switched off.
    ///   - cutsPower: Whether the power is switched off; nil for the default of the reason.
    ///   - command: The command that requested the stop. It is answered when the stop is written or, if the power is
    ///     switched off, confirmed.
    mutating func stop(
        _ reason: RobotStopReason, cuttingPower cutsPower: Bool? = nil, for command: CommandID? = nil,
        _ effects: inout Effects
    ) {
        guard phase == .online else { return }
        let cutsPower = cutsPower ?? reason.cutsPower
        note(reason, &effects)
        dropWaiting(&effects)
        drive.stop(&effects)
        weapon.stop(&effects)
        let old = buttons
        buttons.weapon = false
        if cutsPower {
            buttons.power = false
            power.cut(&effects)
        }
        slot.changed()
        if buttons != old { latch.answer(confirmation.end(&effects), Self.dropped, &effects) }
        let needsProof = cutsPower && reason != .shutdown
        // A stop in progress is not written twice.
        let isUnderWay = slot.stop?.buttons == buttons && (!needsProof || confirmation.isUnderWay)
        if !isUnderWay { writeStop(powerFirst: reason == .emergencyStop, &effects) }
        guard needsProof else {
            if let command { slot.add(command) }
            return
        }
        if !isUnderWay, let written = slot.stop { confirmation.start(written.buttonsToken, &effects) }
        confirmation.add([command].compactMap { $0 }, isEmergencyStop: reason == .emergencyStop)
    }

    /// Records why the robot was stopped, counts the stop, and publishes the reason.
    mutating func note(_ reason: RobotStopReason, _ effects: inout Effects) {
        // A reload of the configuration first stops the robot and then disconnects it. The reason `reload` is kept
        // instead of `shutdown`.
        if reason != .shutdown || stoppedBy != .reload { stoppedBy = reason }
        statusReport.isUrgent = true
        effects.count("stopped_by_\(reason.rawValue)")
    }

    /// Writes a stop: no motion, weapon off, and the power as commanded.
    mutating func writeStop(powerFirst: Bool = false, _ effects: inout Effects) {
        let batch = writeValues(.zero, .zero, priority: .stop, buttonsFirst: powerFirst, &effects)
        slot.startStop(batch, at: now)
        effects.startTimer(Self.cadenceTimer, after: Self.cadence)
    }

    mutating func stopWritten(_ done: RobotBatch, _ effects: inout Effects) {
        if let error = done.error {
            effects.remark(.warning, "a stop could not be written and is written again: \(error)")
            slot.isStopDue = drive.motion == nil
            return effects.startTimer(Self.cadenceTimer, after: Self.cadence)
        }
        drive.lease.settle()
        weapon.lease.settle()
        if phase == .closing { return effects.append(.disconnect) }
        if isUnconfirmed, phase == .online { restProof.start(&effects) }
        switchPowerOn(&effects)
    }

    /// Answers the commands that a stop replaces, whether they are queued or in progress.
    private mutating func dropWaiting(_ effects: inout Effects) {
        latch.cancelRelease()
        power.onConnect = .no
        effects.cancelTimer(RobotPower.timer)
        let dropped =
            [waiting.take()].compactMap { $0 } + slot.takeFrameCommands() + power.takeRequests()
        for id in dropped { effects.answer(id, Self.dropped) }
    }
}
