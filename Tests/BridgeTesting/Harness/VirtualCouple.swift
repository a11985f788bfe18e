package import Bluetooth
package import DeviceKit
package import VirtualDevices

/// A family's state machine and a virtual device on one virtual clock, with a connection between them. Both are
/// written from the protocol independently of each other.
///
/// An operation arrives at the device after ``transit`` and completes after ``latency``. Operations arrive in the
/// order of their start. At the same moment, the disk comes first, then the connection, the machine's timers and the
/// device.
package struct VirtualCouple: Sendable {
    /// A write that arrived at the device.
    package struct Arrival: Sendable {
        package var time: Duration
        package var write: Write
    }

    /// An operation on its way between the machine and the device.
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

    /// The time from the start of an operation to its arrival at the device.
    package var transit: Duration = .zero
    /// The time from the start of an operation to its completion.
    package var latency: Duration = .milliseconds(15)
    /// If set, operations fail on the host with this error instead of reaching the device.
    package var failure: OperationError?
    /// Whether nothing arrives or completes, as if the host's Bluetooth hangs.
    package var isStuck = false
    /// Whether the bridge is stalled while the device continues: the machine receives no timers and no notifications.
    package var isFrozen = false
    /// How long the disk takes for a change of the emergency stop; nil if the disk hangs.
    package var diskTime: Duration? = .milliseconds(3)
    /// The error of the disk for changes; nil if it works.
    package var diskFailure: String?
    /// The emergency stop as it is on the disk.
    package internal(set) var latch: Latch
    /// The writes that arrived at the device, in order.
    package internal(set) var arrivals: [Arrival] = []
    /// The reports of the device, in order.
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

    // MARK: Connection

    /// The profile that the bridge receives: only the characteristics of the family.
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

    /// Connects with or without a bond.
    package mutating func connect(
        isBonded: Bool = false, isTakenOver: Bool = false, isOverProxy: Bool = false
    ) {
        isEncrypted = isBonded
        stimulate(.connected(mtu: world.peripheral(name)?.mtu ?? 23))
        if isBonded { stimulate(.bonded) }
        var profile = profile
        profile.isTakenOver = isTakenOver
        profile.isOverProxy = isOverProxy
        session.feed(.connected(profile))
        takeStarted()
    }

    /// Loses the connection.
    package mutating func drop() {
        guard session.isLinked else { return }
        flights = []
        stimulate(.disconnected)
        session.feed(.disconnected)
        takeStarted()
    }

    /// Lets the bridge die: the guardian writes the will and disconnects.
    package mutating func die() {
        isFrozen = true
        flights = []
        for write in session.machine.will.writes {
            stimulate(
                .write(write.characteristic, write.value, withResponse: write.kind == .withResponse))
        }
        stimulate(.disconnected)
    }

    // MARK: Inputs of both

    package mutating func feed(_ input: Input) {
        session.feed(input)
        takeStarted()
    }

    package mutating func tell(_ stage: LinkStage) {
        session.tell(stage)
        takeStarted()
    }

    /// Performs an action of the wearer: the words of a live line after the device's name.
    package mutating func act(_ words: String) {
        carryOut(world.perform(line: "\(name) \(words)", at: now))
        takeStarted()
    }

    /// Passes a command as it arrives over MQTT.
    @discardableResult
    package mutating func command(_ feature: String, _ payload: String, age: Duration = .zero) -> UInt64 {
        defer { takeStarted() }
        return session.command(feature, Array(payload.utf8), age: age)
    }

    /// Passes a command with checked arguments.
    @discardableResult
    package mutating func command(_ feature: String, _ arguments: Arguments) -> UInt64 {
        defer { takeStarted() }
        return session.command(feature, arguments)
    }

    /// Advances the time while the bridge is stalled and the device continues.
    package mutating func sleep(_ time: Duration) {
        isFrozen = true
        run(time)
        isFrozen = false
    }

    /// Advances the time.
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
