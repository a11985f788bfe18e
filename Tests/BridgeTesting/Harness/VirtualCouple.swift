package import Bluetooth
package import DeviceKit
package import VirtualDevices

/// A family's state machine and a virtual device, each written from the protocol by itself, on one virtual clock with a
/// link between them.
///
/// An operation that starts arrives at the device after ``transit`` and is completed after ``latency``; what was started
/// first arrives first. At one moment the disk comes first, then the link, the machine's timers and the device.
package struct VirtualCouple: Sendable {
    /// A write as it arrived at the device.
    package struct Arrival: Sendable {
        package var time: Duration
        package var write: Write
    }

    /// An operation between the two.
    struct Flight: Sendable {
        enum Stage: Sendable {
            case leaving(arrival: Duration)
            /// The device has not answered yet.
            case arrived
            case returning(completion: Duration, Result<[UInt8], OperationError>)
        }

        var number: Int
        var operation: LinkOperation
        var stage: Stage

        var isLeaving: Bool {
            if case .leaving = stage { true } else { false }
        }
    }

    package var session: MachineHarness
    var world: World
    let name: String
    var flights: [Flight] = []
    var lastStarted = 0
    var lastArrival = Duration.zero
    var isEncrypted = false

    /// How long an operation takes from its start to the device.
    package var transit: Duration = .zero
    /// How long an operation takes from its start to its completion.
    package var latency: Duration = .milliseconds(15)
    /// Lets operations fail at the host instead of reaching the device.
    package var failure: OperationError?
    /// Lets nothing arrive or be completed: the host's Bluetooth hangs.
    package var isStuck = false
    /// Whether the bridge stands still while the device goes on: no timer, no notification reaches the machine.
    package var isFrozen = false
    /// How long the disk takes for a change of the emergency stop; nil where it hangs.
    package var diskTime: Duration? = .milliseconds(3)
    /// Why the disk refuses changes.
    package var diskFailure: String?
    /// What the disk has of the emergency stop.
    package internal(set) var latch: Latch
    /// The writes that arrived at the device, in order.
    package internal(set) var arrivals: [Arrival] = []
    /// What the device told of itself, in order.
    package internal(set) var told: [(time: Duration, report: DeviceReport)] = []

    package init(
        _ family: any DeviceFamily, _ model: Scenario.Model, mtu: Int = 247, settings: Arguments = [:],
        latch: Latch = .clear, now: Duration = .seconds(100)
    ) {
        name = family.name
        self.latch = latch
        session = MachineHarness(family, settings: settings, latch: latch, now: now)
        world = World(
            Scenario(devices: [
                Scenario.Device(name: family.name, model: model, address: "AA:BB:CC:DD:EE:FF", mtu: mtu)
            ]))
        carryOut(world.start(at: now))
    }

    package var now: Duration { session.now }

    // MARK: The link

    /// What the bridge is told of the device's table: the characteristics of its family.
    package var profile: LinkProfile {
        let requirements = session.family.requirements
        let known = Set(requirements.required + requirements.optional)
        var profile = LinkProfile(characteristics: [:], isPaired: isEncrypted)
        guard let peripheral = world.peripheral(name) else { return profile }
        profile.mtu = peripheral.mtu
        for service in peripheral.services where !service.isClaimed {
            for characteristic in service.characteristics where known.contains(characteristic.id) {
                profile.characteristics[characteristic.id] = characteristic.properties
            }
        }
        return profile
    }

    /// Connects, with a bond or without.
    package mutating func connect(isBonded: Bool = false, isTakenOver: Bool = false) {
        isEncrypted = isBonded
        stimulate(.connected(mtu: world.peripheral(name)?.mtu ?? 23))
        if isBonded { stimulate(.bonded) }
        var profile = profile
        profile.isTakenOver = isTakenOver
        session.feed(.connected(profile))
        takeStarted()
    }

    /// The link breaks.
    package mutating func drop() {
        guard session.isLinked else { return }
        flights = []
        stimulate(.disconnected)
        session.feed(.disconnected)
        takeStarted()
    }

    /// The bridge dies: the guardian writes the will and closes the link.
    package mutating func die() {
        isFrozen = true
        flights = []
        for write in session.machine.will.writes {
            stimulate(
                .write(write.characteristic, write.value, withResponse: write.kind == .withResponse))
        }
        stimulate(.disconnected)
    }

    // MARK: What happens to both

    package mutating func feed(_ input: Input) {
        session.feed(input)
        takeStarted()
    }

    package mutating func tell(_ stage: LinkStage) {
        session.tell(stage)
        takeStarted()
    }

    /// The wearer does something: the words of a live line behind the device's name.
    package mutating func act(_ words: String) {
        carryOut(world.perform(line: "\(name) \(words)", at: now))
        takeStarted()
    }

    /// Gives a command as it arrives by MQTT.
    @discardableResult
    package mutating func command(_ feature: String, _ payload: String, age: Duration = .zero) -> UInt64 {
        defer { takeStarted() }
        return session.command(feature, Array(payload.utf8), age: age)
    }

    /// Gives a command whose arguments are checked.
    @discardableResult
    package mutating func command(_ feature: String, _ arguments: Arguments) -> UInt64 {
        defer { takeStarted() }
        return session.command(feature, arguments)
    }

    /// Lets time pass while the bridge stands still; the device goes on.
    package mutating func sleep(_ time: Duration) {
        isFrozen = true
        run(time)
        isFrozen = false
    }

    /// Lets time pass.
    package mutating func run(_ time: Duration) {
        let end = now + time
        while let next, next.time <= end {
            session.sleep(until: next.time)
            next.step(&self)
            takeStarted()
        }
        session.sleep(until: end)
    }
}
