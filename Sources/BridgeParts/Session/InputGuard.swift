package import Bluetooth
package import DeviceKit

/// Decides about devices that show themselves to be a keyboard, a mouse or the like, and knows whose bond is new.
///
/// Such a device types on the host as soon as it is bonded. So one whose family is none is used only if a person let it
/// in by its address.
package struct InputGuard: Sendable {
    /// Whether the device may be an input device: its family is one, or a person let it in as one.
    package var isAllowed: Bool
    /// The services that it advertises, or that the host remembers.
    package private(set) var services: Set<UUID> = []
    /// Whether the host is connected to it.
    package private(set) var isConnected = false
    /// Whether the host held a bond with it when it was heard first; nil before that.
    package private(set) var hadBond: Bool?
    /// Whether the host holds a bond with it.
    package private(set) var hasBond = false
    /// Whether there was a link to it: the host's own plugins may begin to bond over one.
    package var wasReached = false

    package static let advice =
        "see what it is; to use it all the same, forget it and let it in by its address (permit_join with address)"

    package init(isAllowed: Bool) { self.isAllowed = isAllowed }

    /// Whether its bond was made since it was heard first.
    package var isBondNew: Bool { hadBond == false && hasBond }

    /// The device was heard, or is known to the host.
    package mutating func heard(_ advertisement: Advertisement) {
        services = advertisement.services
        isConnected = advertisement.isConnected
        if hadBond == nil { hadBond = advertisement.isPaired }
        hasBond = advertisement.isPaired
    }

    /// The host bonded with it.
    package mutating func bonded() { hasBond = true }

    /// Why a device that has these services may not be used; nil if it may.
    package func refusal(_ services: Set<UUID>) -> DeviceFailure? {
        isAllowed ? nil : services.inputComplaint.map { DeviceFailure(.inputDevice, $0, advice: Self.advice) }
    }
}
