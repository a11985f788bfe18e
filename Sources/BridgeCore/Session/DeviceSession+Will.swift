import Bluetooth
import DeviceKit
import Logging

extension DeviceSession {
    /// What the guardian knows of the device: its will, and whose link it is about.
    struct KeptWill: Sendable {
        var will = Will.none
        var place: LinkPlace?
        /// Whether the guardian was told to carry it out: for this link the bridge has no more say.
        var isHandedOver = false
    }

    /// Tells the guardian what must be written if the bridge dies now, if that changed.
    ///
    /// It is called before anything that follows from an input goes out: the guardian knows of a motion before the
    /// device does. What ends a motion it hears only when the device has it.
    func updateWill() {
        guard let guardian = world.guardian else { return }
        guard let link else { return releaseWill() }
        let will = machine.readWill()
        guard will != kept.will, !kept.isHandedOver else { return }
        guard !kept.will.outweighs(will) || !isOwedWrites else { return }
        let former = kept.place
        kept = KeptWill(will: will, place: nil)
        let requirements = family.requirements
        if let complete = LinkWill(
            will, at: link.place, isSafetyCritical: requirements.isSafetyCritical,
            isShared: requirements.isInputDevice)
        {
            kept.place = link.place
            guarded = link.place.device
            guardian.keep(complete)
        } else if let former {
            guardian.release(device: former.device)
        }
    }

    /// Whether the device may not have what the state machine takes for written. At the end of a link nobody repeats
    /// a write that failed.
    private var isOwedWrites: Bool {
        hasWrites || (life > .open || isParting || wantsDisconnect) && !(linked?.failedWrites.isEmpty ?? true)
    }

    /// Decides, before the link is closed, who makes the device safe.
    ///
    /// A state machine whose goodbye was written has done so, and the will is forgotten with the link. One that ran
    /// out of time, or whose last writes failed or are still under way, has not: to close the link is no substitute,
    /// since BlueZ takes 2 s for it, may refuse it, and a belt vibrates on without a link. So the will is not
    /// forgotten but carried out by the guardian, which has more patience than the end of a session, and goes on
    /// after the bridge has said goodbye.
    ///
    /// - Parameter isTimeUp: Whether the state machine did not come to the end of its goodbye.
    func settleWill(isTimeUp: Bool) {
        guard let place = kept.place, !kept.isHandedOver else { return }
        let isUnwritten = kept.will.writes.contains {
            linked?.failedWrites.contains($0.characteristic) ?? false
        }
        guard isTimeUp || hasWrites || isUnwritten else { return }
        kept.isHandedOver = true
        logger.warning("not known to be at rest before its link is closed: the guardian goes on stopping it")
        world.guardian?.carryOut(device: place.device)
    }

    /// Lets the guardian forget the device, unless it was handed over.
    func releaseWill() {
        if let place = kept.place, !kept.isHandedOver { world.guardian?.release(device: place.device) }
        kept = KeptWill()
    }

    /// Takes what the guardian did in the bridge's place.
    func guardianReported(_ report: GuardianReport) {
        switch report {
        case .confirmed: logger.info("the guardian has ended a motion: the device is at rest")
        case .unconfirmed:
            logger.error("the guardian could not confirm that the device is at rest: keep away from it")
        }
        feed(.guardian(report))
    }
}

extension DeviceMachine {
    /// What must be written if the bridge dies now. It changes nothing: but a getter of a value of unknown type is
    /// called on a copy of it, at every input, and a mutating method on the value itself.
    fileprivate mutating func readWill() -> Will { will }
}

extension Will {
    /// Whether this one asks for something that the other does not ask for any more.
    fileprivate func outweighs(_ other: Will) -> Bool {
        deadline != nil && other.deadline == nil || !writes.isEmpty && other.writes.isEmpty
    }
}
