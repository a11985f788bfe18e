package import Bluetooth
package import DeviceKit

/// A period in which new devices may join.
package struct Permit: Sendable {
    package var end: Duration
    /// The end of the period as a date.
    package var until: TimeStamp
    /// The families that may join; nil for all.
    package var families: Set<String>?
    /// The only devices that may join; nil for all devices except input devices.
    package var addresses: Set<Address>?
    /// The maximum number of devices that the permit admits.
    package var max: Int
    /// The devices that have joined during this permit.
    package var admitted: [Address] = []
    /// The number of failed attempts per device. Devices with fewer attempts have priority.
    package var trials: [Address: Int] = [:]

    package init(
        end: Duration, until: TimeStamp, families: Set<String>? = nil, addresses: Set<Address>? = nil,
        max: Int, admitted: [Address] = [], trials: [Address: Int] = [:]
    ) {
        self.end = end
        self.until = until
        self.families = families
        self.addresses = addresses
        self.max = max
        self.admitted = admitted
        self.trials = trials
    }

    /// Whether the permit admits any device of its families, and not only devices with certain addresses.
    package var isPlain: Bool { addresses == nil }
}

/// A device that was admitted and has not been online yet.
package struct Joining: Equatable, Sendable {
    /// When the device was admitted.
    package var since: Duration
    /// Whether a permit admitted the device, so that it counts toward the permit; otherwise `bluetooth.join` is
    /// `always`.
    package var isPermitted: Bool
    /// Whether the device was admitted by its address.
    package var isByAddress: Bool
    /// The name of the family as which the device was admitted.
    package var family: String
    /// Whether the device is being disconnected.
    package var isLeaving = false

    /// How long a joining device has precedence over other devices that wait.
    package static let patience = Duration.seconds(10)
}
