import Bluetooth
import DeviceKit

// Stops: no motion and no weapon, written ahead of everything, and nothing that waited is carried out later.
extension RobotMachine {
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
        drive = nil
        lease.release()
        effects.cancelTimer(Self.leaseTimer)
        let old = buttons
        buttons.weapon = false
        endWeaponLease(&effects)
        if cutsPower {
            buttons.power = false
            idleEnd = nil
            effects.cancelTimer(Self.idleTimer)
        }
        changes += 1
        if buttons != old { dropConfirmation(&effects) }
        let needsProof = cutsPower && reason != .shutdown
        // What is under way already need not be written twice.
        let isUnderWay = halt?.buttons == buttons && (!needsProof || confirmation != nil)
        if !isUnderWay { writeHalt(powerFirst: reason == .emergencyStop, &effects) }
        guard needsProof else {
            if let command { halt?.commands.append(command) }
            return
        }
        if !isUnderWay, let halt { confirm(halt.buttonsToken, &effects) }
        if reason == .emergencyStop { confirmation?.isEmergency = true }
        if let command { confirmation?.commands.append(command) }
    }

    /// Remembers, counts and tells what stopped the robot.
    mutating func note(_ reason: RobotStopReason, _ effects: inout Effects) {
        // A robot that a reload changes is let go too.
        if reason != .shutdown || stoppedBy != .reload { stoppedBy = reason }
        isStatusUrgent = true
        effects.count("stopped_by_\(reason.rawValue)")
    }

    /// Writes no motion, no weapon, and the power as it is commanded.
    mutating func writeHalt(powerFirst: Bool = false, _ effects: inout Effects) {
        isHaltDue = false
        (frame, isFrameDue) = (nil, false)
        frameStart = now
        framedChanges = changes
        var switches: WriteToken = 0
        if powerFirst { switches = write(RobotGATT.buttons, buttons.bytes, priority: .stop, &effects) }
        let movement = write(RobotGATT.movement, RobotVector.zero.bytes, priority: .stop, &effects)
        let rotation = write(RobotGATT.rotation, RobotVector.zero.bytes, priority: .stop, &effects)
        if !powerFirst { switches = write(RobotGATT.buttons, buttons.bytes, priority: .stop, &effects) }
        var batch = RobotBatch([movement, rotation, switches], buttonsToken: switches, buttons: buttons)
        batch.commands = halt?.commands ?? []
        halt = batch
        effects.startTimer(Self.cadenceTimer, after: Self.cadence)
    }

    mutating func haltWritten(_ effects: inout Effects) {
        guard let done = halt else { return }
        halt = nil
        if let error = done.error {
            effects.remark(.warning, "a stop could not be written and is written again: \(error)")
            for id in done.commands { effects.answer(id, .failed(CommandError(error))) }
            isHaltDue = drive == nil
            effects.startTimer(Self.cadenceTimer, after: Self.cadence)
            return
        }
        for id in done.commands { effects.answer(id, .ok) }
        lease.settle()
        weapon.settle()
        if phase == .closing, !isGivenUp { return effects.append(.disconnect) }
        if isUnconfirmed { proveRest(&effects) }
        switchPowerOn(&effects)
    }

    /// Answers what no frame has taken yet, and what is under way: a stop came after it.
    private mutating func dropWaiting(_ effects: inout Effects) {
        let dropped = [waiting.take()].compactMap { $0 } + (frame?.commands ?? []) + (powerWaiting ?? [])
        (powerWaiting, latch.releaseDeadline, latch.awaitsPower) = (nil, nil, false)
        frame?.commands = []
        effects.cancelTimer(Self.powerTimer)
        for id in dropped { effects.answer(id, Self.dropped) }
    }

    static let dropped = Answer.failed(.deviceError, "dropped: a stop came after it")
}
