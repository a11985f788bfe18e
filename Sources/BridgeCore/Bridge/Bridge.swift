import Bluetooth
public import BridgeContract
import BridgeParts
import Claims
public import DeviceKit
import Haptics
public import Logging
public import ServiceLifecycle

/// The bridge names devices, lets new devices join, and routes messages between the radio and the broker.
///
/// It has no dependencies except its ports. It runs on one executor together with its sessions.
public actor Bridge: Service {
    /// The ports of the bridge and its other dependencies.
    public struct Ports: Sendable {
        /// The Bluetooth adapters and their devices.
        public var radio: any Radio
        /// The MQTT broker.
        public var broker: any Broker
        /// Stores the state that must survive a restart of the bridge.
        public var store: any StateStore
        /// Keeps the emergency stops across restarts.
        public var latches: any LatchStore
        /// The clocks of the host.
        public var time: any TimeSource
        /// Makes the devices safe if the bridge dies.
        public var guardian: any Guardian
        /// The executor of the bridge and its sessions and of all their tasks. The thread of the radio and the broker
        /// is the best choice.
        public var executor: any SerialExecutor & TaskExecutor
        /// The destination of log lines.
        public var logger: Logger
        /// The process that the bridge runs in.
        public var process: any HostProcess
        /// Reads the configuration again for a reload.
        public var configuration: any ConfigurationSource
        /// Stores the recordings that are requested over MQTT; nil if there is no folder for them.
        public var recordings: (any RecordingStore)?
        /// The recording that starts together with the bridge; nil for none.
        public var recordingFromStart: RecordingFromStart?

        /// Creates a set of ports.
        public init(
            radio: any Radio, broker: any Broker, store: any StateStore,
            latches: any LatchStore, time: any TimeSource, guardian: any Guardian,
            executor: any SerialExecutor & TaskExecutor, logger: Logger,
            process: any HostProcess, configuration: any ConfigurationSource,
            recordings: (any RecordingStore)? = nil, recordingFromStart: RecordingFromStart? = nil
        ) {
            self.radio = radio
            self.broker = broker
            self.store = store
            self.latches = latches
            self.time = time
            self.guardian = guardian
            self.executor = executor
            self.logger = logger
            self.process = process
            self.configuration = configuration
            self.recordings = recordings
            self.recordingFromStart = recordingFromStart
        }
    }

    /// Runs the actor on the executor of the ports.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { ports.executor.asUnownedSerialExecutor() }

    nonisolated let ports: Ports
    nonisolated let topics: Topics

    /// The configuration as of the last reload. The bridge's id and the base topic never change.
    var settings: BridgeSettings {
        didSet { announcements.forgetStencils() }
    }
    /// The device families that the bridge supports.
    private(set) var families: [any DeviceFamily]
    var logger: Logger
    var stage = Stage.running
    var record: StatsRecord
    var kept = KeptState()
    /// Limits how often the bridge publishes its availability again after an outdated last will.
    var corrections = RepublishLimiter()
    /// Whether topics of removed or renamed devices must be cleared, as soon as the bridge knows which topics belong to
    /// other bridges.
    var hasStaleTopics = false
    /// Detects other processes with this bridge's id.
    var twins: TwinWatch
    /// Why this process stopped automatically; nil if it did not.
    var withdrawal: BridgeWithdrawal?

    // MARK: Radio, guardian and broker
    var radio = RadioStatus()
    var guardian = GuardianStatus()
    var broker: BrokerSide
    /// The claims (statements of ownership) of all bridges on devices, as received from the broker.
    var holders = ClaimIndex()
    /// Which of the Bluetooth proxies this bridge uses, and not another bridge.
    var sharing = ProxySharing()

    // MARK: Devices
    var fleet: Fleet
    var formerNames = FormerNames()
    var ownNames = OwnNames()
    /// The stops to names of this bridge's devices, to detect second copies that arrive when no device has the name.
    var formerCopies = DuplicateStops()
    var admission: Admission
    var latches = LatchBook(.known([:]))
    var arrivals = StartQueue()
    /// The links that each adapter has and supports. A session checks them before it connects.
    let slots = AdapterSlots()
    var draining = Draining()
    var roster = RosterDesk()

    // MARK: Input
    var intake: TopicRouter
    var requests: RequestDesk
    var groupCommands = GroupCommands()
    var reloads = ReloadQueue()
    var recordings = RecordingDesk()
    var scans = ScanDesk()

    // MARK: Output
    var reports = BridgeReports()
    var groupReports = GroupReports()
    var announcements = Announcements()
    /// Records the events of all sessions while a recording runs.
    let recorder = Recorder()
    var log = LogOutlet()

    // MARK: Periodic work
    var timers = TimerSet<BridgeTimer>()
    var rounds = EndOfTurn()
    var rest = HeapTrim()
    var discovery = DiscoveryControl()

    /// An asynchronous job of the bridge. It runs in the bridge's isolation.
    typealias Job = @Sendable (isolated Bridge) async -> Void

    /// The pending jobs; the stream finishes together with the bridge. Their number is limited by their sources:
    /// sessions, one save, one change of discovery, and requests in progress.
    let jobs = AsyncStream<Job>.makeStream()
    /// The jobs that run the sessions, each until its session ends. They have their own stream because a task group
    /// finds a finished task by a search through all tasks that started earlier.
    let sessionTasks = AsyncStream<Job>.makeStream()

    /// Creates a bridge. ``run()`` starts it.
    ///
    /// - Parameters:
    ///   - settings: The settings from the configuration.
    ///   - families: The device families that the bridge supports.
    ///   - ports: The ports of the bridge and its other dependencies.
    public init(settings: BridgeSettings, families: [any DeviceFamily], ports: Ports) {
        self.settings = settings
        self.families = families
        self.ports = ports
        topics = Topics(bridge: settings.id, baseTopic: settings.baseTopic)
        broker = BrokerSide(peers: Peers(own: settings.id))
        intake = TopicRouter(topics)
        admission = Admission(families)
        requests = RequestDesk(BridgeFeatures.requests(families))
        fleet = Fleet(settings, families)
        logger = ports.logger
        slots.setting = settings.slots
        record = StatsRecord(at: ports.time.now, date: ports.time.date)
        twins = TwinWatch(host: settings.host, started: ports.time.date)
    }

    /// Replaces the families. The caller recreates the sessions of the families that changed.
    func use(_ families: [any DeviceFamily]) {
        self.families = families
        fleet.use(families)
        admission.use(families)
        requests.use(BridgeFeatures.requests(families))
        useAdvertisedData()
    }
}
