import BridgeParts
import Claims
import DeviceKit

// Devices that are visited: the bridge connects from time to time, and the device is available between two visits.
extension DeviceSession {
    /// Records that a visit reached the device.
    ///
    /// - Returns: Whether the device was available before.
    func noteVisit() -> Bool {
        guard let visiting else { return false }
        let wasAvailable = visitedAt != nil
        visitedAt = now
        startTimer(.silence, at: now + visiting.availability)
        return wasAvailable
    }

    /// Handles the end of a link.
    ///
    /// - Returns: Whether the device stays available until the next visit.
    func keepsVisits(after former: Connector.Linked) -> Bool {
        if life != .open || former.successor != nil || connector.isUnwanted { visitedAt = nil }
        return visitedAt != nil
    }

    /// Handles that the next visits do not take place, or that too many of them failed.
    func endVisits() {
        guard visitedAt != nil else { return }
        visitedAt = nil
        clock.cancel(.silence)
        guard connector.linked == nil, life < .finished else { return }
        // The state machine answers the commands that wait for the next visit.
        feed(.close)
        endHolding()
    }

    /// Visits the device now, because a command waits for it.
    func visitForCommand() {
        guard visiting != nil, connector.isIdle, !desk.openIDs.isEmpty else { return }
        connector.supervision.visitNow()
        proceed()
    }

    /// Whether this bridge must leave a device in range to another bridge. Only one bridge visits a device.
    var isVisitedElsewhere: Bool { visiting != nil && ownership.device.isHeldElsewhere(context.neighbors) }
}
