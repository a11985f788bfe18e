package import Bluetooth
package import BridgeContract
package import DeviceKit

/// Decides what the guardian receives about a device: the device's will and the link that the will belongs to. A
/// ``Will`` lists the writes that make the device safe if the bridge stops responding.
package struct WillKeeper: Sendable {
    /// A message to the guardian.
    package enum Order: Hashable, Sendable {
        case keep(LinkWill)
        case release(device: String)
        case carryOut(device: String)
    }

    /// The device's object path in BlueZ, as last sent to the guardian.
    package private(set) var device: String?
    private let isSafetyCritical: Bool
    private let isShared: Bool
    /// The will that the guardian has; nil before the first will of a link.
    private var will: Will?
    private var place: LinkPlace?
    /// Whether the guardian was ordered to execute the will. The bridge then no longer changes the will for this link.
    private var isHandedOver = false

    /// Whether the will has a deadline that the bridge extends, because the device moves or has power.
    package var hasDeadline: Bool { will?.deadline != nil }

    /// Whether the guardian keeps a will of this device that it was not ordered to execute.
    package func isKept(of device: String) -> Bool { place?.device == device && !isHandedOver }

    package init(_ requirements: LinkRequirements) {
        isSafetyCritical = requirements.isSafetyCritical
        isShared = requirements.isInputDevice
    }

    /// Sets the writes that are required if the bridge stops responding now. A will that ends a motion is replaced only
    /// once the device has received all writes of the state machine.
    ///
    /// - Parameter isOwedWrites: Whether writes that the state machine counts as sent may not have reached the device.
    package mutating func update(
        to newWill: Will, at currentPlace: @autoclosure () -> LinkPlace, isOwedWrites: @autoclosure () -> Bool
    ) -> Order? {
        guard newWill != will, !isHandedOver, !(will?.outweighs(newWill) ?? false) || !isOwedWrites()
        else { return nil }
        let former = place
        (will, place) = (newWill, nil)
        let link = currentPlace()
        guard
            let complete = LinkWill(
                newWill, at: link, isSafetyCritical: isSafetyCritical, isShared: isShared)
        else { return former.map { .release(device: $0.device) } }
        (place, device) = (link, link.device)
        return .keep(complete)
    }

    /// Decides, before the link is closed, whether the guardian makes the device safe.
    ///
    /// A state machine whose last writes succeeded has made the device safe, and the will is dropped with the link. If
    /// the state machine ran out of time, or its last writes failed or are under way, the device may not be safe.
    /// Closing the link is no substitute: BlueZ takes 2 s to close a link and may refuse to, and a belt continues to
    /// vibrate without a link. So the guardian executes the will. The guardian has more time than the end of a session,
    /// and continues after the bridge has exited.
    ///
    /// - Parameters:
    ///   - isUncertain: Whether the state machine did not finish, or writes are under way.
    ///   - failed: The characteristics whose last write failed.
    package mutating func settle(isUncertain: Bool, failed: Set<CharacteristicID>) -> Order? {
        guard let place, isUnsafe(isUncertain: isUncertain, failed: failed) else { return nil }
        isHandedOver = true
        return .carryOut(device: place.device)
    }

    /// Whether the device may not be safe when the link is closed, and was not handed over to the guardian.
    package func isUnsafe(isUncertain: Bool, failed: Set<CharacteristicID>) -> Bool {
        // Without a will, the guardian would only close the link, which the bridge is about to do.
        guard let will, will != .none, !isHandedOver else { return false }
        return isUncertain || will.writes.contains { failed.contains($0.characteristic) }
    }

    /// Makes the guardian drop the device's will, unless it was handed over.
    package mutating func release() -> Order? {
        defer { (will, place, isHandedOver) = (nil, nil, false) }
        return isHandedOver ? nil : place.map { .release(device: $0.device) }
    }
}

extension Will {
    /// Whether this will requires a write or a deadline that the other will no longer requires.
    fileprivate func outweighs(_ other: Will) -> Bool {
        deadline != nil && other.deadline == nil || !writes.isEmpty && other.writes.isEmpty
    }
}
