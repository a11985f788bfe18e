import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import CoreMetrics
import DeviceKit
import Haptics
import JSON
import Logging

/// Manages one device: finds it, connects, runs its state machine, carries out the machine's effects, and publishes
/// on its topics.
///
/// A session runs in the bridge's isolation, on the thread of the radio and the broker. So a notification becomes a
/// message without a change of thread. Callbacks of ports enter through ``Context/enter``.
final class DeviceSession {
    /// An asynchronous job of a session. It runs in the bridge's isolation.
    typealias Job = @Sendable (DeviceSession) async -> Void

    var context: Context
    let address: Address
    let family: any DeviceFamily
    let features: FeatureTable
    /// The current settings of the device.
    private(set) var settings: Arguments
    var logger: Logger

    // The following properties are the parts of the session. Each part owns its state and does not use the other parts.
    var machine: MachineHost
    var clock = TimerSet<SessionTimer>()
    var lifetime = SessionLife()
    var connector: Connector
    /// Decides whether this bridge connects or leaves the device to a bridge with a stronger signal.
    var choice = HostChoice()
    /// Whether the device joined in this run of the bridge.
    var isJoining = false
    /// Decides whether a connected device moves to another host.
    var best = BestHost()
    /// When the device last reported an event.
    var lastEvent: Duration?
    /// Whether the device can move: `LinkRequirements.isSafetyCritical` of its family.
    let isSafetyCritical: Bool
    /// Why this bridge leaves the device to other bridges although the device is in range.
    var deference: LinkReason?
    /// The value of `noOffer`, the reason not to offer a connection, that this session last reported to the bridge.
    var saidNoOffer: LinkReason?
    /// Whether this bridge receives the commands to the device; `true` until another bridge is known to receive them.
    var isListening = true
    /// The adapter that last received an advertisement of the device.
    var adapter: String?
    /// What the device was doing on another bridge, until this bridge continues it.
    var handOver = HandOver()
    var handOverWatch = HandOverWatch()
    /// The last advertisement, and what is new in the next one.
    var lastAdvertisement: Advertisement?
    var broadcasts = BroadcastFilter()
    /// For a device that only advertises, detects whether another bridge receives the device better.
    var receivers = BetterReceiver()
    /// How the device is visited; nil for a device that stays connected or is never connected.
    let visiting: Visiting?
    /// When the last visit reached the device; nil if the device is not available between visits.
    var visitedAt: Duration?
    /// Orders the operations on the Bluetooth connection; nil while the device is disconnected.
    var driver: LinkDriver?
    var desk: CommandDesk
    var publisher: Publisher
    var status: DeviceStatus
    var groupValues = GroupValues()
    /// Contains the motion gate, which decides whether a device that can hurt you may move; nil for any other device.
    var motion: MotionWatch?
    var will: WillKeeper

    /// The counters for the bridge's `stats`.
    var counters = DeviceCounters()
    /// Limits the commands that the device gives, also if they cause each other.
    var givenCommands = RateLimit(perSecond: 20, burst: 40)
    /// Sets the log level of failed commands.
    var failures = FailureLog()
    let commandTimer: Timer
    /// The pending jobs; the stream finishes together with the session. Their number is limited by their sources: one
    /// connection attempt, one disconnection, and one save of the emergency stop.
    let jobs: (stream: AsyncStream<Job>, input: AsyncStream<Job>.Continuation)

    init(
        name: String, address: Address, family: any DeviceFamily, features: FeatureTable, settings: Arguments,
        memory: JSON.Object, latch: Latch, patterns: Library = Library(),
        mixing: BridgeSettings.PatternMixing = .add, isConfigured: Bool,
        mayBeInput: Bool = false, context: Context
    ) {
        self.context = context
        self.address = address
        self.family = family
        self.features = features
        self.settings = settings
        logger = context.logger
        logger[metadataKey: "device"] = "\(name)"
        machine = MachineHost(
            family.makeMachine(
                DeviceContext(address: address, settings: settings, memory: memory, latch: latch)))
        visiting = family.visiting(settings)
        connector = Connector(
            family.requirements, fault: family.fault, isOnRequest: family.connectsOnRequest,
            visiting: visiting, mayBeInput: mayBeInput)
        let limits = family.motionLimits(settings)
        desk = CommandDesk(
            family: family, features: features, patterns: patterns, mixing: mixing,
            isHazardous: limits != nil)
        publisher = Publisher(
            context.topics, name: name, address: address, outlet: features.outlet,
            latchReport: family.latching?.report, isConfigured: isConfigured)
        status = DeviceStatus(since: context.time.date, memory: memory)
        motion = limits.map { MotionWatch(MotionGate($0, echoTopic: context.topics.own("echo"))) }
        isSafetyCritical = family.requirements.isSafetyCritical
        will = WillKeeper(family.requirements)
        commandTimer = Timer(
            label: "tactile_bridge_command_seconds", dimensions: [("family", family.name)])
        let (stream, input) = AsyncStream<Job>.makeStream()
        jobs = (stream, input)
    }

    /// Runs until the session is closed.
    func run() async {
        let enter = context.enter
        await withDiscardingTaskGroup { group in
            for await job in jobs.stream { group.addTask { await enter.wait(job) } }
            group.cancelAll()
        }
    }

    func spawn(_ job: @escaping Job) { jobs.input.yield(job) }

    var now: Duration { context.time.now }

    // MARK: The state machine

    /// Passes an input to the state machine and carries out its effects. Inputs that arise in the meantime are passed
    /// afterwards, in order.
    func feed(_ input: Input, isCounted: Bool = true) { handle(.input(input, isCounted: isCounted)) }

    /// Applies changed settings that the family accepts while a device is connected.
    ///
    /// - Parameter atOnce: The names of the settings that replace values set by commands.
    func use(_ settings: Arguments, atOnce: Set<String>) {
        guard !atOnce.isEmpty || settings != self.settings else { return }
        self.settings = settings
        feed(.settings(settings, atOnce: atOnce))
    }

    /// Passes the stage of the Bluetooth connection to the state machine.
    func tell(_ stage: LinkStage) { handle(.stage(stage)) }

    /// Passes the orders of the motion gate to the state machine although no other event has arrived, and starts the
    /// operations that can start.
    func advance() { handle(nil) }

    private func handle(_ event: MachineHost.Event?) {
        guard machine.begin(event) else { return }
        defer { machine.end() }
        var effects = Effects()
        // Expired permissions to move are handled first, so that the state machine has stopped the device before it
        // receives the next event.
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
        clock.start(timer, at: deadline, on: context.time) { [enter = context.enter] in
            enter { $0.timersRanOut() }
        }
    }

    private func timersRanOut() {
        for ticket in clock.rang(at: now) where clock.take(ticket) { ranOut(ticket.key) }
        clock.goOn(on: context.time) { [enter = context.enter] in enter { $0.timersRanOut() } }
    }

    private func ranOut(_ timer: SessionTimer) {
        switch timer {
        case .machine(let name): feed(.timer(name))
        case .gate: updateGate()
        case .proceed: proceed()
        case .answers: answersAreDue()
        case .closing: finishClosing(isTimeUp: true)
        case .ownership: if settleOwnership() { republish() }
        case .ownershipDeadline: ownershipDeadlineReached()
        case .choice: proceed()
        case .move: considerMove()
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
        case .silence: silenceIsDue()
        case .halt: answerStops(.failed(.timeout, "the stop was not written in time"))
        }
    }
}
