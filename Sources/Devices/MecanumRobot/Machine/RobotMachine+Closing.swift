import DeviceKit

extension RobotMachine {
    /// The time limit for the last writes before the link is closed.
    static let closing = ClosingWords(within: .seconds(1))

    /// Closes the link cleanly: stops the motion, then switches the power off. At the disconnect, the firmware would
    /// switch the power off too, but it would keep the motion for the next connection.
    mutating func close(_ effects: inout Effects) {
        switch phase {
        case .offline, .closing, .givenUp:
            leave(&effects)
            phase = .closing
            return Self.closing.begin(hasWords: false, &effects)
        case .handshake: writeStop(&effects)
        case .online: stop(.shutdown, &effects)
        }
        leave(keepingStop: true, &effects)
        phase = .closing
        Self.closing.begin(hasWords: true, &effects)
    }

    /// Handles the loss of the link. The robot then switches its power off automatically.
    mutating func disconnected(_ effects: inout Effects) {
        let wasPowered = buttons.power
        leave(&effects)
        latch.linkLost(&effects)
        phase = .offline
        if wasPowered { note(.linkLost, &effects) }
    }

    /// Resets the state of the link, and answers every command in progress. Field orientation stays, because only
    /// commands change it.
    mutating func leave(keepingStop: Bool = false, _ effects: inout Effects) {
        for name in Self.linkTimers { effects.cancelTimer(name) }
        let open =
            [waiting.take()].compactMap { $0 } + power.takeRequests() + slot.commands
            + confirmation.end(&effects)
        latch.answer(open, .failed(.deviceOffline, "the link to the robot was lost"), &effects)
        latch.linkEnded()
        if keepingStop { slot.keepOnlyStop() } else { slot = RobotWriteSlot() }
        (drive, weapon, power) = (RobotDrive(), RobotWeapon(), RobotPower())
        (confirmation, restProof) = (RobotConfirmation(), RobotRestProof())
        buttons = RobotButtons(fieldOrientation: buttons.fieldOrientation)
    }
}
