import Bluetooth
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
    /// What the configuration says of the device.
    let settings: Arguments

    var machine: MachineHost
    var supervision: Supervision
    var clock = SessionClock()
    var desk: CommandDesk
    var publisher: Publisher
    var status: DeviceStatus
    /// What decides whether the device may move; nil for one that cannot hurt anybody.
    var motion: MotionWatch?
    var will: WillKeeper
    var proofCount = 0
    /// Those who wait until the writes of a stop of everything are done.
    var stopWaiters: [StopWaiter] = []
    /// Those who wait until the device is gone, and until it is there.
    var disconnectWaiters: [Done] = []
    var connectWaiters: [Done] = []
    var logger: Logger
    /// What happened so far, for the bridge's `stats`.
    var counters = DeviceCounters()
    let commandTimer: Timer

    var lifetime = SessionLife()

    /// The link, and what holds as long as it is there.
    var linked: Linked?
    /// Which link it is: what belongs to an earlier one is dropped.
    var linkNumber = 0
    /// Why the link went away before it could be used.
    var earlyLoss: String?
    /// How often the bridge stood still: what was decided before goes nowhere any more.
    var stallEpoch = 0
    /// What decides whether the device may be a keyboard or the like; what was found of it since it was connected.
    var inputs: InputGuard
    var lateServices: Set<UUID> = []
    /// Why it did not work, as it was logged last.
    var loggedFailure: String?

    /// Whether operations are being started: what is done at once is told afterwards.
    var isStarting = false

    /// What is to be waited for; ends when the session does. Bounded by what feeds it: one attempt to connect, one
    /// end of a link, and what is kept of the emergency stop.
    private let jobs: AsyncStream<Job>
    let jobsInput: AsyncStream<Job>.Continuation

    init(
        name: String, address: Address, family: any DeviceFamily, features: FeatureTable, settings: Arguments,
        memory: JSON.Object,
        latch: Latch, patterns: Library = Library(), isConfigured: Bool,
        mayBeInput: Bool = false, world: World
    ) {
        inputs = InputGuard(isAllowed: mayBeInput || family.requirements.isInputDevice)
        self.address = address
        self.family = family
        self.features = features
        self.settings = settings
        self.world = world
        commandTimer = Timer(
            label: "tactile_bridge_command_seconds", dimensions: [("family", family.name)])
        machine = MachineHost(
            family.makeMachine(
                DeviceContext(address: address, settings: settings, memory: memory, latch: latch)))
        supervision = Supervision(
            bonding: family.requirements.bonding, bondingAdvice: family.requirements.bondingAdvice,
            fault: family.fault, isOnRequest: family.connectsOnRequest)
        publisher = Publisher(
            world.topics, name: name, address: address, outlet: features.outlet,
            latchReport: family.latching?.report, isConfigured: isConfigured)
        status = DeviceStatus(since: world.time.date)
        let limits = family.motionLimits(settings)
        motion = limits.map { MotionWatch(MotionGate($0, echoTopic: world.topics.own("echo"))) }
        desk = CommandDesk(
            family: family, features: features, patterns: patterns, isHazardous: limits != nil)
        will = WillKeeper(family.requirements)
        logger = world.logger
        logger[metadataKey: "device"] = "\(name)"
        (jobs, jobsInput) = AsyncStream.makeStream()
    }

    /// Works until the session is closed.
    func run() async {
        let enter = world.enter
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask { await enter.wait(job) } }
            group.cancelAll()
        }
    }

    func spawn(_ job: @escaping Job) { jobsInput.yield(job) }

    var now: Duration { world.time.now }

    // MARK: The state machine

    /// Tells the state machine something and carries out what it wants; inputs that arise meanwhile follow in
    /// order.
    func feed(_ input: Input, isCounted: Bool = true) { handle(.input(input, isCounted: isCounted)) }

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
        for ticket in clock.due(at: now) where clock.take(ticket) { ranOut(ticket.key) }
        clock.arm(on: world.time) { [enter = world.enter] in enter { $0.timersRanOut() } }
    }

    private func ranOut(_ timer: SessionTimer) {
        switch timer {
        case .machine(let name): feed(.timer(name))
        case .gate: updateGate()
        case .proceed: proceed()
        case .command(let id): answer(id, .failed(.timeout, "no answer from the device in time"))
        case .closing: finishClosing(isTimeUp: true)
        case .ownership: settleOwnership()
        case .proof: proofTimedOut()
        case .contest: republishAgain()
        case .recall: finishRecall(isTimeOver: true)
        case .parting: finishParting(isTimeUp: true)
        case .arrival:
            supervision.requestTimedOut()
            answerConnectWaiters(.failed(.timeout, offlineMessage))
            proceed()
        case .halt: answerStopWaiters(.failed(.timeout, "the stop was not written in time"))
        }
    }
}
