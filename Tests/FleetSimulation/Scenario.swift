package import BridgeContract
package import Claims

/// The parameters of a simulation: its size, its delays and its faults.
package struct Scenario: Sendable {
    /// The number of hosts, and the distance between them in meters.
    package var hosts = 4
    package var spacing = 10.0
    package var devices = 6
    /// The percentage of devices that move.
    package var walkers = 0.0
    /// The percentage of devices that accept two centrals.
    package var doubles = 0.0
    /// The percentage of devices that advertise while they have a link.
    package var beacons = 0.0
    /// The mean time that a device that moves stays at each place, in microseconds.
    package var dwell = 0
    /// The mean time between two uses of a device, in which it must keep its link, in microseconds; nil for none.
    package var busyInterval: Int?
    /// When a device with a link moves to another host.
    package var moves = BridgeSettings.Moves()
    /// Whether moves are measured and their promises checked.
    package var areMovesChecked = false
    /// The number of links that an adapter supports.
    package var slots = 16
    /// Whether each bridge knows each device; otherwise only the bridges that have received its advertisements.
    package var isKnownEverywhere = false
    /// The delay of a message to the broker, and of one from it, in microseconds.
    package var delay = 1000...5000
    /// The probability that a message arrives twice.
    package var duplication = 0.0
    /// The time after which the broker closes a silent session, in microseconds.
    package var keepAlive = Int.seconds(24)
    /// The time after which devices and hosts detect that a link is dead, in microseconds.
    package var supervision = 420_000...420_000
    /// The time from the link to a usable device, in microseconds.
    package var setup = 250_000...400_000
    /// The mean time between two faults, in microseconds; nil for none.
    package var faultInterval: Int?
    /// The time of the last fault, in microseconds.
    package var faultsEnd = Int.max
    /// Whether commands are sent to the devices.
    package var isUsed = false
    /// Whether the promises are checked.
    package var isChecked = false
    /// The policy for the choice of hosts.
    package var policy = Policy()

    /// Creates a small scenario without faults.
    package init() {}

    /// A building in which people carry devices that advertise while they have a link.
    ///
    /// - Parameter dwell: The mean time that a person stays at a place, in seconds.
    package static func carried(hosts: Int, devices: Int, walkers: Double, dwell: Double) -> Scenario {
        var scenario = Scenario()
        (scenario.hosts, scenario.devices, scenario.walkers) = (hosts, devices, walkers)
        (scenario.beacons, scenario.dwell) = (100, .seconds(dwell))
        scenario.slots = 100
        scenario.busyInterval = .seconds(120)
        scenario.areMovesChecked = true
        return scenario
    }

    /// A small scenario with all faults. The delay and other parameters depend on the seed.
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

/// How bridges choose the host that connects to a device.
package struct Policy: Sendable {
    /// Whether a bridge connects at the first advertisement.
    package var isAtOnce = false
    /// Whether bridges publish offers.
    package var hasOffers = true
    /// Whether a bridge cancels an attempt when another bridge has the link.
    package var isCancelled = true
    /// The parameters of the choice.
    package var tuning = HostChoice.Tuning()

    /// Creates the policy of the running bridge.
    package init() {}
}
