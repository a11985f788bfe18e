import Bluetooth

/// A device on the air.
final class Peripheral {
    let index: Int
    let address: Address
    /// How many links it takes.
    let centrals: Int
    var position: Air.Point
    /// Where a walker goes.
    var goal: Air.Point?
    var isWalker: Bool
    var isOn = true
    var isAdvertising = false
    /// Who hears it.
    var audible: [(host: Int, strength: Double)] = []
    /// The hosts whose bridges know it.
    var knownAt: [Int] = []
    var links: [Link] = []
    /// Since when it has no link that can be used, and why; nil while it has one.
    var lost: (at: Int, cause: Measures.Cause)? = (0, .start)
    /// The command that it moves by, and over which link that came.
    var motion: (link: Int, sent: Int)?

    init(index: Int, centrals: Int, position: Air.Point, isWalker: Bool) {
        self.index = index
        address = Address(number: 0xC0FF_EE00_0000 + UInt64(index))
        self.centrals = centrals
        self.position = position
        self.isWalker = isWalker
    }
}

/// A link between a host and a device.
final class Link {
    let number: Int
    let host: Host
    let device: Peripheral
    /// Whether the device can be used over it, and since when.
    var ready: Int?
    /// Whether it carries nothing any more, although not both sides know that.
    var isDead = false
    /// Since when it is there, as its host writes it.
    let since: String

    init(number: Int, host: Host, device: Peripheral, since: String) {
        self.number = number
        self.host = host
        self.device = device
        self.since = since
    }
}

/// An adapter that tries to connect to a device.
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
