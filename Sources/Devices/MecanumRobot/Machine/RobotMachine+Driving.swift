import DeviceKit

// Driving: the newest command is written every 100 ms until its lease ends.
extension RobotMachine {
    /// The interval between two frames (writes of movement, rotation and buttons) while the robot is driven, as in the
    /// makers' app.
    static let cadence = Duration.milliseconds(100)
    /// The interval between two frames while the robot stands still. The firmware keeps its last values, so these
    /// frames are not required. They only limit the effect of a lost write.
    static let heartbeat = Duration.seconds(1)
    /// The lease of a drive command that has no duration, in milliseconds.
    static let usualLease = 500

    /// The time from one frame to the next: ``cadence`` while the robot is driven, the weapon runs, or the newest state
    /// is not written yet; otherwise ``heartbeat``.
    private var cadencePeriod: Duration {
        drive.motion != nil || buttons.weapon || !slot.isTold || phase != .online
            ? Self.cadence : Self.heartbeat
    }

    /// Starts the timer of the next frame.
    mutating func startCadence(_ effects: inout Effects) {
        effects.startTimer(Self.cadenceTimer, after: cadencePeriod)
    }

    /// Handles a drive command. The command is answered after its frame is written.
    mutating func drive(
        _ id: CommandID, _ asked: RobotFamily.DriveCommand, _ effects: inout Effects
    ) throws(CommandError) {
        let motion = RobotMotion(asked)
        let time = asked.duration ?? min(Self.usualLease, settings.longestLease)
        guard time <= settings.longestLease else { throw leaseTooLong(time) }
        // A released joystick sends zero motion all the time, whether the robot has power or not.
        guard buttons.power || motion.isMotion else { return effects.answer(id, .ok) }
        guard buttons.power else {
            throw CommandError(.wrongMode, powerAdvice)
        }
        let end = (id.arrival ?? now) + .milliseconds(time)
        guard end > now else {
            throw CommandError(.expired, "the command's \(time) ms ended before it could be carried out")
        }
        waiting.put(id, &effects)
        drive.start(motion, offset: offset, until: end, at: now, &effects)
        stoppedBy = nil
        slot.isStopDue = false
        slot.changed()
        power.used(for: powerTimeout, at: now, &effects)
        weapon.follow(driving: end, at: now, &effects)
        paceFrame(&effects)
    }

    /// Applies the newest offset to the direction of the current drive. The lease does not change.
    mutating func turnDrive(_ effects: inout Effects) {
        guard drive.turn(to: offset) else { return }
        slot.changed()
        paceFrame(&effects)
    }

    func leaseTooLong(_ lease: Int) -> CommandError {
        CommandError(
            .outOfRange,
            "\(RobotFamily.drive.names.taken(\.duration)): a whole number 1...\(settings.longestLease) by this robot's max_lease_ms, got \(lease)"
        )
    }

    /// How long to wait until a frame with the newest state can be written, since frames are at least 100 ms apart.
    func timeToNextFrame() -> Duration { max(.zero, slot.start + Self.cadence - now) }

    /// Writes a changed state to the robot: immediately, or as soon as the last frame is 100 ms old.
    private mutating func paceFrame(_ effects: inout Effects) {
        let wait = timeToNextFrame()
        guard wait > .zero else { return startFrame(&effects) }
        effects.startTimer(Self.cadenceTimer, after: wait)
    }

    mutating func cadence(_ effects: inout Effects) {
        switch phase {
        case .offline, .handshake: return
        case .online where !slot.isStopDue: startFrame(&effects)
        case .online, .closing, .givenUp:
            if slot.stop == nil, slot.isStopDue || phase == .givenUp { writeStop(&effects) }
        }
        startCadence(&effects)
    }

    /// Writes the newest state, or waits for the write in progress.
    private mutating func startFrame(_ effects: inout Effects) {
        guard slot.requestFrame() else { return }
        var batch = writeValues(
            drive.movement(isFieldOriented: buttons.fieldOrientation), drive.rotation, &effects)
        batch.commands = [waiting.take()].compactMap { $0 }
        slot.startFrame(batch, at: now)
        drive.lease.written()
        if buttons.weapon { weapon.lease.written() }
        startCadence(&effects)
    }

    mutating func frameWritten(_ frame: RobotWriteSlot.Content, _ effects: inout Effects) {
        if let error = frame.batch.error {
            effects.remark(.debug, "a frame could not be written: \(error)")
            // The command is answered with an error, so the robot must not move by this command later.
            if drive.motion != nil { return stop(.writeFailed, &effects) }
        } else {
            if drive.motion == nil { drive.lease.settle() }
            if !frame.batch.buttons.weapon, !buttons.weapon { weapon.lease.settle() }
        }
        if frame.isNextDue { startFrame(&effects) }
    }

    /// Ends the leases of drive and weapon that have expired, and switches the power off after the power timeout.
    mutating func endWhatIsOver(_ effects: inout Effects) {
        guard phase == .online else { return }
        if weapon.lease.isOver(at: now) { endWeapon(&effects) }
        if drive.lease.isOver(at: now) { stop(.lease, &effects) }
        if let idleEnd = power.idleEnd, now >= idleEnd { stop(.powerTimeout, &effects) }
    }
}
