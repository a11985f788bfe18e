package import Bluetooth
package import DeviceKit

/// Decides about devices with the services of an input device, such as a keyboard or mouse, and tracks whether their
/// bonds are new.
///
/// Such a device can type on the host once it is bonded. If its family is not an input family, it is used only if the
/// user permitted it by its address.
package struct InputGuard: Sendable {
    /// Whether the device may be an input device: its family is an input family, or the user permitted the device.
    package var isAllowed: Bool
    /// The services that the device advertises, or that the host has stored.
    package private(set) var services: Set<UUID> = []
    /// Whether the host is connected to the device.
    package private(set) var isConnected = false
    /// Whether the host had a bond with the device at the first advertisement; nil before that.
    package private(set) var hadBond: Bool?
    package private(set) var hasBond = false
    /// Whether a link to the device existed at any time. Over a link, a plugin of bluetoothd may bond with the device.
    package var wasReached = false

    package static let advice =
        "check what the device is; to use it anyway, forget it and permit its address (permit_join with address)"

    package init(isAllowed: Bool) { self.isAllowed = isAllowed }

    /// Whether the device's bond was created since the first advertisement.
    package var isBondNew: Bool { hadBond == false && hasBond }

    /// Applies an advertisement, or data that the host has stored.
    package mutating func heard(_ advertisement: Advertisement) {
        services = advertisement.services
        isConnected = advertisement.isConnected
        if hadBond == nil { hadBond = advertisement.isPaired }
        hasBond = advertisement.isPaired
    }

    package mutating func bonded() { hasBond = true }

    /// Why a device with these services may not be used; nil if it may.
    package func refusal(_ services: Set<UUID>) -> DeviceFailure? {
        isAllowed ? nil : services.inputComplaint.map { DeviceFailure(.inputDevice, $0, advice: Self.advice) }
    }
}
