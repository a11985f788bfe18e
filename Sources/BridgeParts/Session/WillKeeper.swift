package import Bluetooth
package import BridgeContract
package import DeviceKit

/// Decides what the guardian is told of a device: its will, and whose link it is about.
package struct WillKeeper: Sendable {
    /// What the guardian is told.
    package enum Order: Hashable, Sendable {
        case keep(LinkWill)
        case release(device: String)
        case carryOut(device: String)
    }

    /// The device's object path, as the guardian knew it last.
    package private(set) var device: String?
    private let isSafetyCritical: Bool
    private let isShared: Bool
    /// nil before the first one of a link.
    private var will: Will?
    private var place: LinkPlace?
    /// Whether the guardian was told to carry it out: for this link the bridge has no more say.
    private var isHandedOver = false

    /// Whether the device moves, or has power, until a moment that the bridge moves on.
    package var hasDeadline: Bool { will?.deadline != nil }

    /// Whether the guardian keeps the will of this device, which is not handed over.
    package func isKept(of device: String) -> Bool { place?.device == device && !isHandedOver }

    package init(_ requirements: LinkRequirements) {
        isSafetyCritical = requirements.isSafetyCritical
        isShared = requirements.isInputDevice
    }

    /// Takes what must be written if the bridge dies now. What ends a motion counts only when the device has it.
    ///
    /// - Parameter isOwedWrites: Whether the device may not have what the state machine takes for written.
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
    /// A state machine whose goodbye was written has done so, and the will is forgotten with the link. One that ran
    /// out of time, or whose last writes failed or are still under way, has not: to close the link is no substitute,
    /// since BlueZ takes 2 s for it, may refuse it, and a belt vibrates on without a link. So the will is not
    /// forgotten but carried out by the guardian, which has more patience than the end of a session, and goes on
    /// after the bridge has said goodbye.
    ///
    /// - Parameters:
    ///   - isUncertain: Whether the state machine did not come to the end of its goodbye, or writes are under way.
    ///   - failed: The characteristics whose last write failed.
    package mutating func settle(isUncertain: Bool, failed: Set<CharacteristicID>) -> Order? {
        // Without a will, the link alone is closed, which the bridge is about to do.
        guard let place, let will, will != .none, !isHandedOver else { return nil }
        guard isUncertain || will.writes.contains(where: { failed.contains($0.characteristic) }) else {
            return nil
        }
        isHandedOver = true
        return .carryOut(device: place.device)
    }

    /// Lets the guardian forget the device, unless it was handed over.
    package mutating func release() -> Order? {
        defer { (will, place, isHandedOver) = (nil, nil, false) }
        return isHandedOver ? nil : place.map { .release(device: $0.device) }
    }
}

extension Will {
    /// Whether this one asks for something that the other does not ask for any more.
    fileprivate func outweighs(_ other: Will) -> Bool {
        deadline != nil && other.deadline == nil || !writes.isEmpty && other.writes.isEmpty
    }
}
