package import Claims

/// What is simulated: how large, how long, and what goes wrong.
package struct Scenario: Sendable {
    /// How many hosts there are, and how far apart, in metres.
    package var hosts = 4
    package var spacing = 10.0
    /// How many devices there are.
    package var devices = 6
    /// How many of a hundred walk about.
    package var walkers = 0.0
    /// How many of a hundred take two centrals.
    package var doubles = 0.0
    /// How many links an adapter bears.
    package var slots = 16
    /// Whether each bridge knows each device; else those that have heard it.
    package var isKnownEverywhere = false
    /// How long a message is under way on each of its two ways, in microseconds.
    package var delay = 1000...5000
    /// How often a message comes twice.
    package var duplication = 0.0
    /// After which time a broker takes a client for dead, in microseconds.
    package var keepAlive = Int.seconds(24)
    /// After which time devices and hosts notice that a link is gone, in microseconds.
    package var supervision = 420_000...420_000
    /// How long it takes from the link to a device that can be used, in microseconds.
    package var setup = 250_000...400_000
    /// The mean time between two faults, in microseconds; nil for none.
    package var faultInterval: Int?
    /// From when on there are no faults any more, in microseconds.
    package var faultsEnd = Int.max
    /// Whether somebody uses the devices.
    package var isUsed = false
    /// Whether the promises are looked after.
    package var isChecked = false
    /// How hosts are chosen.
    package var policy = Policy()

    /// Makes a small, calm one.
    package init() {}

    /// Small, with everything that can go wrong; the delay and what else differs by the seed.
    package static func faulty(seed: UInt64) -> Scenario {
        var random = Random(seed: seed ^ 0xFA17)
        var scenario = Scenario()
        scenario.hosts = 2 + Int(random.next() % 4)
        scenario.spacing = 12
        scenario.devices = 2 + Int(random.next() % 5)
        scenario.walkers = 50
        scenario.doubles = 25
        scenario.isKnownEverywhere = true
        scenario.delay = [0...5000, 0...50_000, 0...500_000, 0...5_000_000][Int(random.next() % 4)]
        scenario.duplication = 0.1
        scenario.keepAlive = .seconds(6)
        scenario.supervision = 420_000...[420_000, 2_000_000, 6_000_000][Int(random.next() % 3)]
        scenario.faultInterval = .seconds([5, 10, 20, 40][Int(random.next() % 4)])
        scenario.isUsed = true
        scenario.isChecked = true
        return scenario
    }
}

/// How bridges choose who connects to a device.
package struct Policy: Sendable {
    /// Whether a bridge connects as soon as it hears a device.
    package var isAtOnce = false
    /// Whether bridges tell each other that they connect.
    package var hasOffers = true
    /// Whether a bridge gives up to connect when it hears that another one has the link.
    package var isCancelled = true
    /// The numbers of the choice.
    package var tuning = HostChoice.Tuning()

    /// Makes the policy of the running bridge.
    package init() {}
}
