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

    /// When the next frame is due after one.
    var cadencePeriod: Duration {
        drive != nil || buttons.weapon || settledChanges != changes || phase == .closing
            ? Self.cadence : Self.heartbeat
    }

    /// Takes a drive command; it is answered when the frame that carries it is out.
    mutating func drive(
        _ id: CommandID, _ asked: RobotFamily.DriveCommand, _ effects: inout Effects
    ) throws(CommandError) {
        let motion = RobotMotion(asked)
        let time = asked.duration ?? min(Self.usualLease, longestLease)
        guard time <= longestLease else { throw leaseTooLong(time) }
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
        (drive, driveOffset) = (motion, offset)
        lease.hold(until: end)
        stoppedBy = nil
        isHaltDue = false
        changes += 1
        idleEnd = now + powerTimeout
        effects.startTimer(Self.idleTimer, after: powerTimeout)
        effects.startTimer(Self.leaseTimer, after: end - now)
        watchWeapon(&effects)
        paceFrame(&effects)
    }

    /// Turns the present drive by the newest offset, for what is left of its lease.
    mutating func turnDrive(_ effects: inout Effects) {
        guard drive != nil, driveOffset != offset else { return }
        driveOffset = offset
        changes += 1
        paceFrame(&effects)
    }

    func leaseTooLong(_ lease: Int) -> CommandError {
        CommandError(
            .outOfRange,
            "\(RobotFamily.drive.names.taken(\.duration)): a whole number 1...\(longestLease) by this robot's max_lease_ms, got \(lease)"
        )
    }

    /// How long the newest state has to wait for its frame.
    func timeToNextFrame() -> Duration { max(.zero, frameStart + Self.cadence - now) }

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
        case .online where !isHaltDue: startFrame(&effects)
        case .online, .closing: if halt == nil, isHaltDue || isGivenUp { writeHalt(&effects) }
        }
        effects.startTimer(Self.cadenceTimer, after: cadencePeriod)
    }

    /// Writes the newest state, unless something is under way: then as soon as that is done.
    private mutating func startFrame(_ effects: inout Effects) {
        guard frame == nil, halt == nil else {
            isFrameDue = true
            return
        }
        isFrameDue = false
        frameStart = now
        framedChanges = changes
        let motion = drive ?? .none
        let movement = motion.movement(offset: buttons.fieldOrientation ? driveOffset : 0)
        let tokens = [
            write(RobotGATT.movement, movement.bytes, &effects),
            write(RobotGATT.rotation, motion.rotation.bytes, &effects),
            write(RobotGATT.buttons, buttons.bytes, &effects),
        ]
        frame = RobotBatch(tokens, buttonsToken: tokens[2], buttons: buttons)
        frame?.commands = waiting.take().map { [$0] } ?? []
        lease.written()
        if buttons.weapon { weapon.written() }
        effects.startTimer(Self.cadenceTimer, after: cadencePeriod)
    }

    mutating func frameWritten(_ effects: inout Effects) {
        guard let done = frame else { return }
        frame = nil
        if let error = done.error {
            for id in done.commands { effects.answer(id, .failed(CommandError(error))) }
            effects.remark(.debug, "a frame could not be written: \(error)")
            // Who is told of a failure must not find the robot moving by it later.
            if drive != nil { return stop(.writeFailed, &effects) }
        } else {
            for id in done.commands { effects.answer(id, .ok) }
            settledChanges = framedChanges
            if drive == nil { lease.settle() }
            if !done.buttons.weapon, !buttons.weapon { weapon.settle() }
        }
        if isFrameDue { startFrame(&effects) }
    }

    /// Ends what is over by now: the leases, or the time without a drive command.
    mutating func endWhatIsOver(_ effects: inout Effects) {
        guard phase == .online else { return }
        if weapon.isOver(at: now) { endWeapon(&effects) }
        if lease.isOver(at: now) { stop(.lease, &effects) }
        if let idleEnd, now >= idleEnd { stop(.powerTimeout, &effects) }
    }
}
