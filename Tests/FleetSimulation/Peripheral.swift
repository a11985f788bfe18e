import Bluetooth

/// A Bluetooth device.
final class Peripheral {
    let index: Int
    let address: Address
    /// The number of links that it accepts.
    let centrals: Int
    var position: Air.Point
    /// Whether it advertises while it has a link.
    let isBeacon: Bool
    /// Until when it is used, so that it must keep its link.
    var busyEnd = 0
    /// Until when a walker stays where it is.
    var dwellEnd = 0
    /// When bridges moved it.
    var moves: [Int] = []
    /// Since when another host has received it much better than its own host.
    var neglectedSince: Int?
    /// The destination of a walker.
    var goal: Air.Point?
    var isWalker: Bool
    var isOn = true
    var isAdvertising = false
    /// How often it started to advertise.
    var advertising = 0
    /// The hosts in range.
    var audible: [(host: Int, strength: Double)] = []
    /// The hosts whose bridges know it.
    var knownAt: [Int] = []
    var links: [Link] = []
    /// Since when it has no usable link, and why; nil while it has one.
    var lost: (at: Int, cause: Measures.Cause)? = (0, .start)
    /// The command of its current motion, and the link over which it arrived.
    var motion: (link: Int, sent: Int)?

    init(index: Int, centrals: Int, isBeacon: Bool, position: Air.Point, isWalker: Bool) {
        self.index = index
        address = Address(number: 0xC0FF_EE00_0000 + UInt64(index))
        self.centrals = centrals
        self.isBeacon = isBeacon
        self.position = position
        self.isWalker = isWalker
    }
}

final class Link {
    let number: Int
    let host: Host
    let device: Peripheral
    /// When the device became usable over it; nil before.
    var ready: Int?
    /// Whether it is dead, even if a side has not detected it.
    var isDead = false
    /// When it was established, in its host's format.
    let since: String

    init(number: Int, host: Host, device: Peripheral, since: String) {
        self.number = number
        self.host = host
        self.device = device
        self.since = since
    }
}

/// An attempt of an adapter to connect to a device.
final class Attempt {
    let party: Party
    let start: Int
    var lastHeard: Int
    var link: Link?
    var isOver = false

    init(party: Party, start: Int) {
        self.party = party
        self.start = start
        lastHeard = start
    }
}
