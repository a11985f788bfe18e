import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import CoreMetrics
import DeviceKit
import Haptics
import JSON
import Logging

/// Looks after one device: finds it, connects, runs its state machine, carries out what that asks for, and
/// speaks for it on its topics.
///
/// It belongs to the bridge and lives in its isolation, on the thread of the radio and the broker, so that a
/// notification becomes a message without a change of thread. What a port calls back comes in through ``World/enter``.
final class DeviceSession {
    /// Work of a session that waits; it runs in the bridge's isolation.
    typealias Job = @Sendable (DeviceSession) async -> Void

    var world: World
    let address: Address
    let family: any DeviceFamily
    let features: FeatureTable
    /// The settings in force for the device.
    private(set) var settings: Arguments
    var logger: Logger

    // The parts; each owns its state and knows no other one.
    var machine: MachineHost
    var clock = Clockwork<SessionTimer>()
    var lifetime = SessionLife()
    var connector: Connector
    /// Whether this bridge connects, or leaves that to one that hears the device better.
    var choice = HostChoice()
    /// Whether the device moves: `LinkRequirements.isSafetyCritical` of its family.
    let isSafetyCritical: Bool
    /// Why this bridge leaves it to others though it hears it.
    var deference: LinkReason?
    /// Why this bridge does not offer to connect to it, as it was said last.
    var saidNoOffer: LinkReason?
    /// Whether commands to the device are for this bridge, as far as is known.
    var isListening = true
    /// The adapter that heard it last.
    var adapter: String?
    /// What the device did at the bridge that had it before.
    var handOver = HandOver()
    var handOverWatch = HandOverWatch()
    /// What goes over the link; nil without one.
    var driver: LinkDriver?
    var desk: CommandDesk
    var publisher: Publisher
    var status: DeviceStatus
    /// What decides whether the device may move; nil for a device that cannot hurt a person.
    var motion: MotionWatch?
    var will: WillKeeper

    /// What happened so far, for the bridge's `stats`.
    var counters = DeviceCounters()
    /// How loudly failed commands are logged.
    var failures = FailureLog()
    let commandTimer: Timer
    /// What is to be waited for; ends when the session does. Bounded by what feeds it: one attempt to connect, one
    /// end of a link, and what is kept of the emergency stop.
    let jobs: (stream: AsyncStream<Job>, input: AsyncStream<Job>.Continuation)

    init(
        name: String, address: Address, family: any DeviceFamily, features: FeatureTable, settings: Arguments,
        memory: JSON.Object, latch: Latch, patterns: Library = Library(), isConfigured: Bool,
        mayBeInput: Bool = false, world: World
    ) {
        self.world = world
        self.address = address
        self.family = family
        self.features = features
        self.settings = settings
        logger = world.logger
        logger[metadataKey: "device"] = "\(name)"
        machine = MachineHost(
            family.makeMachine(
                DeviceContext(address: address, settings: settings, memory: memory, latch: latch)))
        connector = Connector(
            family.requirements, fault: family.fault, isOnRequest: family.connectsOnRequest,
            mayBeInput: mayBeInput)
        let limits = family.motionLimits(settings)
        desk = CommandDesk(
            family: family, features: features, patterns: patterns, isHazardous: limits != nil)
        publisher = Publisher(
            world.topics, name: name, address: address, outlet: features.outlet,
            latchReport: family.latching?.report, isConfigured: isConfigured)
        status = DeviceStatus(
            since: world.time.date, lacking: Lacking(json: memory[Lacking.memoryKey]))
        motion = limits.map { MotionWatch(MotionGate($0, echoTopic: world.topics.own("echo"))) }
        isSafetyCritical = family.requirements.isSafetyCritical
        will = WillKeeper(family.requirements)
        commandTimer = Timer(
            label: "tactile_bridge_command_seconds", dimensions: [("family", family.name)])
        let (stream, input) = AsyncStream<Job>.makeStream()
        jobs = (stream, input)
    }

    /// Works until the session is closed.
    func run() async {
        let enter = world.enter
        await withDiscardingTaskGroup { group in
            for await job in jobs.stream { group.addTask { await enter.wait(job) } }
            group.cancelAll()
        }
    }

    func spawn(_ job: @escaping Job) { jobs.input.yield(job) }

    var now: Duration { world.time.now }

    // MARK: The state machine

    /// Tells the state machine something and carries out what it wants; inputs that arise meanwhile follow in
    /// order.
    func feed(_ input: Input, isCounted: Bool = true) { handle(.input(input, isCounted: isCounted)) }

    /// Takes other settings of those that the family takes while a device is connected.
    ///
    /// - Parameter atOnce: The names of those that replace what commands set.
    func use(_ settings: Arguments, atOnce: Set<String>) {
        guard !atOnce.isEmpty || settings != self.settings else { return }
        self.settings = settings
        feed(.settings(settings, atOnce: atOnce))
    }

    /// Tells the state machine where the search for its device stands.
    func tell(_ stage: LinkStage) { handle(.stage(stage)) }

    /// Tells the state machine what follows from the motion gate, and nothing else; starts the operations that may start.
    func advance() { handle(nil) }

    private func handle(_ event: MachineHost.Event?) {
        guard machine.begin(event) else { return }
        defer { machine.end() }
        var effects = Effects()
        // First what time has ended: what comes now must not find the device moving by it.
        for order in motion?.advance(to: now) ?? [] {
            if let input = input(for: order) { carryOut(.input(input), &effects) }
        }
        if let event { carryOut(event, &effects) }
        repeat {
            while let event = machine.next() { carryOut(event, &effects) }
            while let input = motion?.nextInput(at: now, isReady: isReady) {
                carryOut(.input(input), &effects)
            }
            if let moment = motion?.nextAlarm() { startTimer(.gate, at: moment) }
            updateWill()
            startOperations()
            keepLatches()
        } while machine.isWaiting
    }

    private func carryOut(_ event: MachineHost.Event, _ effects: inout Effects) {
        effects.removeAll()
        var isCounted = true
        var block: MotionGate.Block??
        if case .input(let input, let counts) = event {
            isCounted = counts
            desk.absorbed.note(input)
            motion?.observe(input, at: now)
            block = motion?.newBlock(at: now)
        }
        machine.handle(event, block: block, at: now, effects: &effects)
        for effect in effects.list { perform(effect, isCounted: isCounted) }
    }

    // MARK: Timers

    func startTimer(_ timer: SessionTimer, at deadline: Duration) {
        clock.start(timer, at: deadline, on: world.time) { [enter = world.enter] in
            enter { $0.timersRanOut() }
        }
    }

    private func timersRanOut() {
        for ticket in clock.rang(at: now) where clock.take(ticket) { ranOut(ticket.key) }
        clock.goOn(on: world.time) { [enter = world.enter] in enter { $0.timersRanOut() } }
    }

    private func ranOut(_ timer: SessionTimer) {
        switch timer {
        case .machine(let name): feed(.timer(name))
        case .gate: updateGate()
        case .proceed: proceed()
        case .answers: answersAreDue()
        case .closing: finishClosing(isTimeUp: true)
        case .ownership: if settleOwnership() { speak() }
        case .warden: wardenIsDue()
        case .choice: proceed()
        case .intent: sendClaim(isRepeated: false)
        case .absence: reportAvailability(isFinal: true)
        case .proof: proofFailed()
        case .contest: republishAgain()
        case .recall: finishRecall(isTimeOver: true)
        case .parting: finishParting(isTimeUp: true)
        case .arrival:
            connector.requestTimedOut()
            answerConnectWaiters(.failed(.timeout, offlineMessage))
            proceed()
        case .halt: answerStops(.failed(.timeout, "the stop was not written in time"))
        }
    }
}
