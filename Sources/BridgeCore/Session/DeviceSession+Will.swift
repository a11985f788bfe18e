import DeviceKit

extension DeviceSession {
    /// What the guardian knows of the device: its will, and whose link it is about.
    struct KeptWill: Sendable {
        var will = Will.none
        var place: LinkPlace?
    }

    /// Tells the guardian what must be written if the bridge dies now, if that changed.
    ///
    /// It is called before anything that follows from an input goes out: the guardian knows of a motion before the
    /// device does. What ends a motion it hears only when the device has it.
    func updateWill() {
        guard let guardian = world.guardian else { return }
        guard let link else { return releaseWill() }
        let will = machine.readWill()
        guard will != kept.will else { return }
        guard !kept.will.outweighs(will) || !operations.hasWrites else { return }
        let former = kept.place
        kept = KeptWill(will: will, place: nil)
        let requirements = family.requirements
        if let complete = LinkWill(
            will, at: link.place, isUrgent: requirements.isUrgent, isShared: requirements.isInputDevice)
        {
            kept.place = link.place
            guardian.keep(complete)
        } else if let former {
            guardian.release(device: former.device)
        }
    }

    /// Lets the guardian forget the device.
    func releaseWill() {
        if let place = kept.place { world.guardian?.release(device: place.device) }
        kept = KeptWill()
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
