import BridgeContract
import BridgeParts
import DeviceKit
import Logging

// The wills that the session sends to the guardian, and the reports of a guardian that stopped the device in the
// bridge's place.
extension DeviceSession {
    /// Sends the guardian the writes that are required if the bridge dies now (``Will``), if these writes changed.
    ///
    /// This happens before any effect of an input is sent, so that the guardian knows of a motion before the device
    /// starts it.
    func updateWill() {
        guard let link else { return releaseWill() }
        guard let order = will.update(to: machine.will(), at: link.place, isOwedWrites: isOwedWrites)
        else {
            return
        }
        tellGuardian(order)
    }

    /// Whether the device moves or can move, executes a command, or is connecting or disconnecting.
    var isBusy: Bool {
        will.hasDeadline || hasWrites || desk.open.count > 0 || connector.linked != nil && !connector.isInUse
    }

    /// Whether writes that the state machine counts as sent may not have reached the device. A write that fails while
    /// the device is disconnecting is not repeated.
    private var isOwedWrites: Bool {
        hasWrites || !connector.isKept && !(driver?.failedWrites.isEmpty ?? true)
    }

    /// Before the device is disconnected, lets the guardian make the device safe, unless the bridge knows that the
    /// device is safe.
    ///
    /// - Parameter isTimeUp: Whether the state machine did not finish its last writes in time.
    func settleWill(isTimeUp: Bool) {
        let (isUncertain, failed) = (isTimeUp || hasWrites, driver?.failedWrites ?? [])
        guard let order = will.settle(isUncertain: isUncertain, failed: failed) else {
            if isOverProxy, will.isUnsafe(isUncertain: isUncertain, failed: failed) {
                logger.warning(
                    "the device is disconnected from its proxy before it confirmed that it is at rest: it stops automatically"
                )
            }
            return
        }
        logger.warning(
            "the device is disconnected before it confirmed that it is at rest: the guardian continues to stop it"
        )
        tellGuardian(order)
    }

    func releaseWill() {
        if let order = will.release() { tellGuardian(order) }
    }

    private func tellGuardian(_ order: WillKeeper.Order) {
        switch order {
        case .keep(let will): context.guardian.keep(will)
        case .release(let device):
            motion?.guarded(false)
            context.guardian.release(device: device)
        case .carryOut(let device):
            motion?.guarded(false)
            context.guardian.carryOut(device: device)
        }
    }

    /// Handles that the guardian has confirmed the first will of a device.
    func guarded(_ device: String) {
        guard will.isKept(of: device) else { return }
        motion?.guarded(true)
        updateGate()
    }

    /// Handles that the guardian process has ended, so that no guardian has the device's will.
    func guardianLost() {
        motion?.guarded(false)
        updateGate()
    }

    /// Whether the device is connected and can hurt you, and no guardian is known to have its will.
    var isUnguarded: Bool { link != nil && gate.map { !$0.isGuarded } ?? false }

    /// Takes the report of the guardian, which stopped a device in the bridge's place.
    func ended(_ device: String, _ report: GuardianReport) {
        guard device == will.device else { return }
        switch report {
        case .confirmed: logger.info("the guardian stopped a motion: the device is at rest")
        case .unconfirmed:
            logger.error("the guardian could not confirm that the device is at rest: keep away from it")
        }
        feed(.guardian(report))
    }
}
