package import Bluetooth
package import DeviceKit

/// A time in which new devices may join.
package struct Permit: Sendable {
    package var end: Duration
    /// The same on the calendar.
    package var until: TimeStamp
    /// The families that may join; nil for all.
    package var families: Set<String>?
    /// The one device that may join; nil for all, but not for input devices.
    package var address: Address?
    /// How many devices it admits.
    package var max: Int
    /// The devices that have joined.
    package var admitted: [Address] = []
    /// How often each device was tried without success: those tried least come first.
    package var trials: [Address: Int] = [:]

    package init(
        end: Duration, until: TimeStamp, families: Set<String>? = nil, address: Address? = nil, max: Int,
        admitted: [Address] = [], trials: [Address: Int] = [:]
    ) {
        self.end = end
        self.until = until
        self.families = families
        self.address = address
        self.max = max
        self.admitted = admitted
        self.trials = trials
    }

    /// Whether it admits devices without their address.
    package var isPlain: Bool { address == nil }
}

/// A device that was let in and has not been online so far.
package struct Joining: Equatable, Sendable {
    /// When it was let in.
    package var since: Duration
    /// Whether a permission let it in, so that it counts among those that it admits; else `bluetooth.join` is always.
    package var isPermitted: Bool
    /// Whether it was let in by its address.
    package var isByAddress: Bool
    /// The name of the family as whose device it was let in.
    package var family: String
    /// Whether it is being let go.
    package var isLeaving = false

    /// How long a device has its chance while others wait for theirs.
    package static let patience = Duration.seconds(10)
}
