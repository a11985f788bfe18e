import Bluetooth
import DeviceKit

// Stops: no motion and no weapon, written ahead of everything, and nothing that waited is carried out later.
extension RobotMachine {
    private static let dropped = Answer.failed(.deviceError, "dropped: a stop came after it")

    /// Stops the robot.
    ///
    /// - Parameters:
    ///   - reason: Why; it decides whether the power goes too.
    ///   - cutsPower: Whether the power goes; nil for what the reason says.
    ///   - command: The command that asked for it, answered when the stop is out, or proved where the power goes.
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
        // What is under way already need not be written twice.
        let isUnderWay = slot.stop?.buttons == buttons && (!needsProof || confirmation.isUnderWay)
        if !isUnderWay { writeStop(powerFirst: reason == .emergencyStop, &effects) }
        guard needsProof else {
            if let command { slot.add(command) }
            return
        }
        if !isUnderWay, let written = slot.stop { confirmation.start(written.buttonsToken, &effects) }
        confirmation.add([command].compactMap { $0 }, isEmergencyStop: reason == .emergencyStop)
    }

    /// Remembers, counts and publishes what stopped the robot.
    mutating func note(_ reason: RobotStopReason, _ effects: inout Effects) {
        // After a reload of the configuration the robot is disconnected too.
        if reason != .shutdown || stoppedBy != .reload { stoppedBy = reason }
        statusReport.isUrgent = true
        effects.count("stopped_by_\(reason.rawValue)")
    }

    /// Writes no motion, no weapon, and the power as it is commanded.
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

    /// Answers what no frame has taken yet, and what is under way: a stop came after it.
    private mutating func dropWaiting(_ effects: inout Effects) {
        latch.cancelRelease()
        power.onConnect = .no
        effects.cancelTimer(RobotPower.timer)
        let dropped =
            [waiting.take()].compactMap { $0 } + slot.takeFrameCommands() + power.takeRequests()
        for id in dropped { effects.answer(id, Self.dropped) }
    }
}
