import Bluetooth
import Claims

/// A fleet in virtual time: the state machines of `Claims` on many hosts, with a radio environment and a broker that
/// have the faults of a scenario. The same seed produces the same run.
package final class Simulation {
    package let scenario: Scenario
    let broken: Set<BrokenRule>
    let timeline = Timeline()
    var random: Random
    let air: Air
    /// The length of a side of the plane, in meters.
    let side: Double
    let hosts: [Host]
    let devices: [Peripheral]
    var broker: Broker
    var linkCount = 0
    /// The measurements.
    package internal(set) var measures = Measures()
    /// The promises that were broken.
    package internal(set) var checks: Checks
    /// Receives a log of the events of one device.
    package var story: (device: Int, tell: (String) -> Void)?
    /// Recent claims, used for replays.
    var overheard: [(device: Int, claim: Claim)] = []

    /// Creates a fleet at time zero.
    ///
    /// - Parameter broken: The rules that are disabled.
    package init(_ scenario: Scenario, seed: UInt64, without broken: Set<BrokenRule> = []) {
        self.scenario = scenario
        self.broken = broken
        random = Random(seed: seed)
        let columns = (1...).first { $0 * $0 >= scenario.hosts } ?? 1
        side = Double(columns) * scenario.spacing
        var places: [Air.Point] = []
        for index in 0..<scenario.hosts {
            let shift = (random.unit() - 0.5, random.unit() - 0.5)
            places.append(
                Air.Point(
                    x: (Double(index % columns) + 0.5 + shift.0 * 0.4) * scenario.spacing,
                    y: (Double(index / columns) + 0.5 + shift.1 * 0.4) * scenario.spacing))
        }
        air = Air(seed: seed, places: places, side: side)
        hosts = (0..<scenario.hosts).map { Host(index: $0) }
        devices = Self.devices(scenario, side: side, by: &random)
        broker = Broker(hosts: scenario.hosts, devices: scenario.devices)
        checks = Checks(devices: scenario.devices)
        begin()
    }

    private static func devices(
        _ scenario: Scenario, side: Double, by random: inout Random
    ) -> [Peripheral] {
        (0..<scenario.devices).map { index in
            let position = Air.Point(x: random.unit() * side, y: random.unit() * side)
            return Peripheral(
                index: index, centrals: random.happens(scenario.doubles / 100) ? 2 : 1,
                isBeacon: random.happens(scenario.beacons / 100), position: position,
                isWalker: random.happens(scenario.walkers / 100))
        }
    }

    /// Advances the virtual time.
    package func run(seconds: Double) { timeline.run(until: timeline.now + .seconds(seconds)) }

    /// The number of events scheduled so far.
    package var eventCount: Int { timeline.count }

    /// Resets the measurements.
    package func resetMeasures() { measures = Measures() }

    var now: Int { timeline.now }

    /// Logs an event, if a log is requested.
    func tell(_ device: Int?, _ host: Host?, _ text: @autoclosure () -> String) {
        guard let story, device == nil || device == story.device else { return }
        story.tell("\(now.inSeconds) \(host?.id ?? "") \(text())")
    }

    private func begin() {
        for host in hosts {
            host.peers = Array(repeating: Host.Peer(), count: hosts.count)
            host.clock = timeline
            start(host, after: random.time(0...1_000_000))
        }
        for device in devices {
            device.audible = air.hosts(hearing: device.index, at: device.position)
            advertise(device)
        }
        timeline.after(.milliseconds(100)) { self.walk() }
        if scenario.faultInterval != nil { planFault() }
        if scenario.busyInterval != nil { for device in devices { occupy(device) } }
        if scenario.areMovesChecked { timeline.after(Self.moveCheck) { self.checkMoves() } }
        if scenario.isUsed { for device in devices { use(device) } }
        if scenario.isChecked { timeline.after(Checks.interval) { self.check() } }
    }

    // MARK: Bridge of a host

    /// Starts the bridge of a host.
    func start(_ host: Host, after delay: Int) {
        on(host, after: delay) {
            if self.scenario.isKnownEverywhere { for device in self.devices { _ = self.party(host, device) } }
            self.connectToBroker(host)
        }
    }

    /// Schedules an action of a bridge. It is dropped if the bridge has exited, and delayed while the bridge is
    /// frozen.
    func on(_ host: Host, after delay: Int, _ action: @escaping () -> Void) {
        let generation = host.generation
        timeline.after(delay) { self.perform(host, generation, action) }
    }

    func perform(_ host: Host, _ generation: Int, _ action: @escaping () -> Void) {
        guard host.generation == generation, host.isPowered, host.isRunning else { return }
        if host.backlog == nil { action() } else { host.backlog?.append(action) }
    }

    /// The data that a bridge has about a device, created at the first call.
    func party(_ host: Host, _ device: Peripheral) -> Party {
        if let party = host.parties[device.index] { return party }
        let party = Party(device: device, bridge: host.id)
        host.parties[device.index] = party
        if !device.knownAt.contains(host.index) { device.knownAt.append(host.index) }
        party.claim.listen()
        guard host.hasSettled else { return party }
        if let stored = broker.store.claims[device.index] {
            var claim = stored.claim
            claim.isStored = true
            heard(host, party, claim, stored.intent)
        }
        act(host, party, party.claim.settle(host.neighbors, at: timeline.moment))
        return party
    }
}
