import DeviceKit

extension RobotMachine {
    /// How long the last writes may take.
    static let closing = ClosingWords(within: .seconds(1))

    /// Closes the link in good order: no motion, then no power. The firmware would cut the power at the disconnect
    /// anyway, but keep the motion for the next connection.
    mutating func close(_ effects: inout Effects) {
        switch phase {
        case .offline, .closing:
            leave(&effects)
            phase = .closing
            return Self.closing.begin(hasWords: false, &effects)
        case .handshake: writeHalt(&effects)
        case .online: stop(.shutdown, &effects)
        }
        let last = halt
        leave(&effects)
        halt = last
        halt?.commands = []
        phase = .closing
        Self.closing.begin(hasWords: true, &effects)
    }

    /// The link is gone: the robot cuts its power by itself.
    mutating func disconnected(_ effects: inout Effects) {
        let wasPowered = buttons.power
        leave(&effects)
        endLatchAnswers(&effects)
        phase = .offline
        if wasPowered { note(.linkLost, &effects) }
    }

    /// Forgets what holds for one link only, and answers every command that is under way. The switches are as every
    /// connection begins, but for the field orientation, which nothing but a command changes.
    mutating func leave(_ effects: inout Effects) {
        for name in Self.linkTimers { effects.cancelTimer(name) }
        var open = [waiting.take()].compactMap { $0 } + (powerWaiting ?? [])
        for batch in [frame, halt] { open += batch?.commands ?? [] }
        open += confirmation?.commands ?? []
        answerProven(open, .failed(.deviceOffline, "the link to the robot is gone"), &effects)
        (powerWaiting, frame, halt, confirmation) = (nil, nil, nil, nil)
        (latch.releaseDeadline, latch.awaitsPower, latch.isReleased) = (nil, false, false)
        (isFrameDue, isHaltDue, isGivenUp) = (false, false, false)
        buttonReads.forget()
        (drive, weaponLease, idleEnd) = (nil, nil, nil)
        (lease, weapon) = (Lease(), Lease())
        handshake = RobotHandshake()
        restProof = RobotRestProof()
        buttons = RobotButtons(fieldOrientation: buttons.fieldOrientation)
    }
}
