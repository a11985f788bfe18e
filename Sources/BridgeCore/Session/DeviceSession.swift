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

    var name: String { didSet { logger[metadataKey: "device"] = "\(name)" } }
    var machine: any DeviceMachine
    var supervision: Supervision
    var timers = TimerQueue()
    var latency = LatencyMeter()
    /// The patterns that can be played by name.
    var patterns: Library
    var ownership: TopicOwnership
    var contest = Contest()
    /// The bridge that claimed the device last.
    var claimant: String?
    var proofCount = 0
    var outlet: Outlet
    /// What decides whether the device may move; nil for one that cannot hurt anybody.
    var gate: MotionGate?
    /// What the state machine was told of the gate, and for when time is told to it next.
    var toldBlock: MotionGate.Block??
    var gateAlarm: Duration?
    /// Whether the state machine waits until nothing blocks motion.
    var awaitsClearance = false
    /// The stops of late, to know the second copy of one.
    var stopCopies = StopCopies()
    /// Whether what the state machine counts is counted: not for the second copy of a stop.
    var countsEffects = true
    var open = OpenCommands()
    /// How many commands are taken; what only the newest counts of is taken at any rate, and stops too.
    var rateLimit = RateLimit(perSecond: 200, burst: 500)
    /// Commands that wait until it is known which bridge speaks for the device.
    var waiting = WaitingCommands()
    /// When the newest stop of the whole device arrived: what arrived before it is not carried out any more.
    var stopArrival: Duration?
    /// Those who wait until the writes of a stop of everything are done.
    var stopWaiters: [StopWaiter] = []
    /// Those who wait until the device is gone, and until it is there.
    var disconnectWaiters: [Done] = []
    var connectWaiters: [Done] = []
    var logger: Logger
    /// What happened so far, for the bridge's `stats`.
    var counters = DeviceCounters()
    let commandTimer: Timer

    /// How far the session is on its way to its end, and what waits for that.
    var life = SessionLife.open { didSet { lifeWaiters.reached(life) } }
    private var lifeWaiters = LifeWaiters()

    /// The link, and what holds as long as it is there.
    var linked: Linked?
    /// Which link it is: what belongs to an earlier one is dropped.
    var linkNumber = 0
    /// Why the link went away before it could be used.
    var earlyLoss: String?
    /// Whether the bridge was late and has not caught up: what arrives may have waited for long.
    var isQuarantined = false
    /// How often the bridge stood still: what was decided before goes nowhere any more.
    var stallEpoch = 0
    /// Whether the broker is connected.
    var hasBroker = false
    /// Whether the broker may have an emergency stop of the device in store.
    var isRecalling = false
    /// What the state machine wants kept of the emergency stop, in order.
    var unkeptLatches: [Bool] = []
    /// What decides whether the device may be a keyboard or the like; what was found of it since it was connected.
    var inputs: InputGuard
    var lateServices: Set<UUID> = []
    var info = DeviceInfo()
    var rssi: Int?
    var since: TimeStamp
    var hostName: String?
    /// When the device was heard last, and when that was said last.
    var seen: Duration?
    var reportedSeen: Duration?
    /// Why it did not work, as it was logged last.
    var loggedFailure: String?

    /// What was last reported of the connection.
    var reported: (state: Supervision.State, isReady: Bool) = (.disconnected, false)
    var reportedAttempt: (moment: Duration?, text: String?) = (nil, nil)

    /// What the guardian was told last.
    var kept = KeptWill()
    /// The device's object path, as the guardian knew it last.
    var guarded: String?

    /// What the state machine is told.
    private enum MachineEvent {
        case input(Input)
        case stage(LinkStage)
    }

    private var inbox: [MachineEvent] = []
    private var isHandling = false
    /// Whether operations are being started: what is done at once is told afterwards.
    var isStarting = false
    /// The call that the clock makes next.
    var alarm = Alarm()

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
        self.name = name
        self.address = address
        self.family = family
        self.features = features
        self.settings = settings
        self.world = world
        self.patterns = patterns
        commandTimer = Timer(
            label: "tactile_bridge_command_seconds", dimensions: [("family", family.name)])
        machine = family.makeMachine(
            DeviceContext(address: address, settings: settings, memory: memory, latch: latch))
        supervision = Supervision(
            bonding: family.requirements.bonding, bondingAdvice: family.requirements.bondingAdvice,
            fault: family.fault, isOnRequest: family.connectsOnRequest)
        ownership = TopicOwnership(bridge: world.topics.bridge, address: address, isConfigured: isConfigured)
        outlet = Outlet(features.all)
        gate = family.motionLimits(settings).map { MotionGate($0, echoTopic: world.topics.own("echo")) }
        since = world.time.date
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
    func feed(_ input: Input) { handle(.input(input)) }

    /// Tells the state machine what follows from the motion gate, and nothing else.
    func feedGate() { handle(nil) }

    /// Tells the state machine where the search for its device stands.
    func tell(_ stage: LinkStage) { handle(.stage(stage)) }

    private func handle(_ event: MachineEvent?) {
        guard !isHandling else {
            if let event { inbox.append(event) }
            return
        }
        isHandling = true
        defer { isHandling = false }
        var effects = Effects()
        // First what time has ended: what comes now must not find the device moving by it.
        for input in passGateTime() { carryOut(.input(input), &effects) }
        if let event { carryOut(event, &effects) }
        repeat {
            while !inbox.isEmpty { carryOut(inbox.removeFirst(), &effects) }
            while let input = nextGateInput() { carryOut(.input(input), &effects) }
            updateWill()
            startOperations()
            keepLatches()
        } while !inbox.isEmpty
    }

    private func carryOut(_ event: MachineEvent, _ effects: inout Effects) {
        effects.removeAll()
        switch event {
        case .input(let input):
            tellGate(input)
            // What a stop blocks is known before the stop is told, so that one report tells of both.
            if let block = newBlock() { machine.handle(.motionBlocked(block), at: now, effects: &effects) }
            machine.handle(input, at: now, effects: &effects)
        case .stage(let stage): machine.stageChanged(to: stage, at: now, effects: &effects)
        }
        for effect in effects.list { perform(effect) }
    }

    /// Returns when the session has got so far.
    func wait(for stage: SessionLife) async {
        guard life < stage else { return }
        await withCheckedContinuation { continuation in
            if life >= stage { continuation.resume() } else { lifeWaiters.add(stage, continuation) }
        }
    }

    // MARK: Timers

    func startTimer(_ key: TimerQueue.Key, at deadline: Duration) {
        timers.start(key, at: deadline)
        setAlarm(by: deadline)
    }

    /// Has the clock call by a moment. A call for a timer that was moved or stopped meanwhile finds nothing, and looks
    /// for the next one.
    private func setAlarm(by moment: Duration) {
        alarm.set(by: moment, on: world.time) { [enter = world.enter] in enter { $0.alarmRang() } }
    }

    private func alarmRang() {
        alarm.rang()
        for ticket in timers.due(at: now) where timers.take(ticket) { ranOut(ticket.key) }
        if let next = timers.next { setAlarm(by: next) }
    }

    private func ranOut(_ timer: TimerQueue.Key) {
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
