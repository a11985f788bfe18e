import DeviceKit

// Driving: the newest command is written every 100 ms, for as long as its lease lasts.
extension RobotMachine {
    /// How often the robot is told what is commanded, as the app does it.
    static let cadence = Duration.milliseconds(100)
    /// How often the robot is told that it is at rest. The firmware latches, so that nothing depends on it: it
    /// only bounds the time in which a write that got lost on the way would show.
    static let heartbeat = Duration.seconds(1)
    /// How long a drive command holds if it does not say, in milliseconds.
    static let usualLease = 500

    /// How long after a frame the next one is due.
    private var cadencePeriod: Duration {
        drive.motion != nil || buttons.weapon || !slot.isTold || phase != .online
            ? Self.cadence : Self.heartbeat
    }

    /// Starts the timer of the next frame.
    mutating func startCadence(_ effects: inout Effects) {
        effects.startTimer(Self.cadenceTimer, after: cadencePeriod)
    }

    /// Takes a drive command; it is answered when the frame that carries it is out.
    mutating func drive(
        _ id: CommandID, _ asked: RobotFamily.DriveCommand, _ effects: inout Effects
    ) throws(CommandError) {
        let motion = RobotMotion(asked)
        let time = asked.duration ?? min(Self.usualLease, settings.longestLease)
        guard time <= settings.longestLease else { throw leaseTooLong(time) }
        // A joystick at rest says so all the time, whatever the robot's power.
        guard buttons.power || motion.isMotion else { return effects.answer(id, .ok) }
        guard buttons.power else {
            throw CommandError(.wrongMode, powerAdvice)
        }
        let end = (id.arrival ?? now) + .milliseconds(time)
        guard end > now else {
            throw CommandError(.expired, "its \(time) ms were over before it could be carried out")
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

    /// Turns the present drive by the newest offset, for what is left of its lease.
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

    /// How long the newest state has to wait for its frame.
    func timeToNextFrame() -> Duration { max(.zero, slot.start + Self.cadence - now) }

    /// Sees to it that a change is told to the robot: at once, or when the last frame is 100 ms old.
    private mutating func paceFrame(_ effects: inout Effects) {
        let wait = timeToNextFrame()
        guard wait > .zero else { return startFrame(&effects) }
        effects.startTimer(Self.cadenceTimer, after: wait)
    }

    /// The cadence's timer has run out.
    mutating func cadence(_ effects: inout Effects) {
        switch phase {
        case .offline, .handshake: return
        case .online where !slot.isStopDue: startFrame(&effects)
        case .online, .closing, .givenUp:
            if slot.stop == nil, slot.isStopDue || phase == .givenUp { writeStop(&effects) }
        }
        startCadence(&effects)
    }

    /// Writes the newest state, unless something is under way: then as soon as that is done.
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
            // Who is told of a failure must not find the robot moving by it later.
            if drive.motion != nil { return stop(.writeFailed, &effects) }
        } else {
            if drive.motion == nil { drive.lease.settle() }
            if !frame.batch.buttons.weapon, !buttons.weapon { weapon.lease.settle() }
        }
        if frame.isNextDue { startFrame(&effects) }
    }

    /// Ends what is over by now: the leases, or the time without a drive command.
    mutating func endWhatIsOver(_ effects: inout Effects) {
        guard phase == .online else { return }
        if weapon.lease.isOver(at: now) { endWeapon(&effects) }
        if drive.lease.isOver(at: now) { stop(.lease, &effects) }
        if let idleEnd = power.idleEnd, now >= idleEnd { stop(.powerTimeout, &effects) }
    }
}
