import BridgeContract
import BridgeParts
import DeviceKit
import Logging

// What the guardian does in the bridge's place.
extension DeviceSession {
    /// Tells the guardian what must be written if the bridge dies now, if that changed.
    ///
    /// It is called before anything that follows from an input goes out: the guardian knows of a motion before the
    /// device does.
    func updateWill() {
        guard let link else { return releaseWill() }
        guard let order = will.update(to: machine.will(), at: link.place, isOwedWrites: isOwedWrites)
        else {
            return
        }
        tellGuardian(order)
    }

    /// Whether the device moves or can, works on a command, or is being made ready or left.
    var isBusy: Bool {
        will.hasDeadline || hasWrites || desk.open.count > 0 || connector.linked != nil && !connector.isInUse
    }

    /// At the end of a link a write that failed is not repeated.
    private var isOwedWrites: Bool {
        hasWrites || !connector.isKept && !(driver?.failedWrites.isEmpty ?? true)
    }

    /// Has the guardian make the device safe if it is not known to be, before its link is closed.
    ///
    /// - Parameter isTimeUp: Whether the state machine did not come to the end of its goodbye.
    func settleWill(isTimeUp: Bool) {
        let failed = driver?.failedWrites ?? []
        guard let order = will.settle(isUncertain: isTimeUp || hasWrites, failed: failed) else { return }
        logger.warning("not known to be at rest before its link is closed: the guardian goes on stopping it")
        tellGuardian(order)
    }

    func releaseWill() {
        if let order = will.release() { tellGuardian(order) }
    }

    private func tellGuardian(_ order: WillKeeper.Order) {
        switch order {
        case .keep(let will): world.guardian.keep(will)
        case .release(let device):
            motion?.guarded(false)
            world.guardian.release(device: device)
        case .carryOut(let device):
            motion?.guarded(false)
            world.guardian.carryOut(device: device)
        }
    }

    /// The guardian has answered since it received the first will of a device.
    func guarded(_ device: String) {
        guard will.isKept(of: device) else { return }
        motion?.guarded(true)
        updateGate()
    }

    /// The guardian is gone, and no other one has the will.
    func guardianLost() {
        motion?.guarded(false)
        updateGate()
    }

    /// Whether the device is connected, can hurt a person, and no guardian is known to have its will.
    var isUnguarded: Bool { link != nil && gate.map { !$0.isGuarded } ?? false }

    /// Takes what the guardian did to a device in the bridge's place.
    func ended(_ device: String, _ report: GuardianReport) {
        guard device == will.device else { return }
        switch report {
        case .confirmed: logger.info("the guardian has ended a motion: the device is at rest")
        case .unconfirmed:
            logger.error("the guardian could not confirm that the device is at rest: keep away from it")
        }
        feed(.guardian(report))
    }
}
