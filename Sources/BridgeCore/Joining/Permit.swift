import Bluetooth
import DeviceKit

/// A time in which new devices may join.
struct Permit: Sendable {
    var end: Duration
    /// The same on the calendar.
    var until: TimeStamp
    /// The families that may join; nil for all.
    var families: Set<String>?
    /// The one device that may join; nil for all, but not for input devices.
    var address: Address?
    /// How many devices it admits.
    var max: Int
    /// The devices that have joined.
    var admitted: [Address] = []
    /// How often each device was tried without success: those tried least come first.
    var trials: [Address: Int] = [:]

    /// Whether it admits devices without their address.
    var isPlain: Bool { address == nil }
}

/// A device that was let in and has not been online so far.
struct Joining: Equatable, Sendable {
    /// When it was let in.
    var since: Duration
    /// Whether a permission let it in, so that it counts among those that it admits; else `bluetooth.join` is always.
    var isPermitted: Bool
    /// Whether it was let in by its address.
    var isByAddress: Bool
    /// The name of the family as whose device it was let in.
    var family: String
    /// Whether it is being let go.
    var isLeaving = false

    /// How long a device has its chance while others wait for theirs.
    static let patience = Duration.seconds(10)
}
