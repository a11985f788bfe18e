import Bluetooth
public import BridgeContract
import BridgeParts
import Claims
public import DeviceKit
import Haptics
public import Logging
public import ServiceLifecycle

/// The bridge: knows the devices, gives them names, joins new ones, and routes between the radio and the broker.
///
/// It knows the world only through its ports, and lives on one executor together with its sessions.
public actor Bridge: Service {
    /// The ports through which the bridge knows the world, and what else it is made of.
    public struct World: Sendable {
        /// The way to devices.
        public var radio: any Radio
        /// The way to users.
        public var broker: any Broker
        /// What is kept over restarts.
        public var store: any StateStore
        /// The emergency stops that are kept over restarts.
        public var latches: any LatchStore
        /// The clocks.
        public var time: any TimeSource
        /// Makes the devices safe if the bridge dies.
        public var guardian: any Guardian
        /// Where the bridge and its sessions run, with all that they start; best the thread of the radio and the
        /// broker.
        public var executor: any SerialExecutor & TaskExecutor
        /// Where remarks go.
        public var logger: Logger
        /// The process that the bridge runs in.
        public var process: any HostProcess
        /// Where the configuration is read anew.
        public var configuration: any ConfigurationSource
        /// Where recordings are written that are asked for over MQTT; nil for nowhere.
        public var recordings: (any RecordingStore)?
        /// The recording that begins with the bridge; nil for none.
        public var recordingFromStart: RecordingFromStart?

        /// Puts a world together.
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

    /// The executor that ``World`` gave.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { world.executor.asUnownedSerialExecutor() }

    nonisolated let world: World
    nonisolated let topics: Topics

    /// What the configuration says, as it was read last; the bridge's id and the base topic stay.
    var settings: BridgeSettings {
        didSet { announcements.forgetStencils() }
    }
    /// The families of devices that it knows.
    private(set) var families: [any DeviceFamily]
    var logger: Logger
    var stage = Stage.running
    var record: StatsRecord
    var kept = KeptState()
    /// How often the bridge has corrected its availability lately.
    var corrections = RepublishLimiter()
    /// Whether topics of devices that are gone wait to be cleared.
    var hasStaleTopics = false
    /// Other processes with this bridge's id.
    var twins: TwinWatch
    /// Why this process ended by itself; nil if it did not.
    var withdrawal: BridgeWithdrawal?

    // The two sides.
    var radio = RadioStatus()
    /// Whether a guardian runs.
    var guardian = GuardianStatus()
    var broker: BrokerSide
    /// Who has which device, of all devices at the broker.
    var holders = ClaimIndex()

    // Devices.
    var fleet: Fleet
    var formerNames = FormerNames()
    /// The stops of devices that are not here any more, which were answered.
    var formerCopies = StopCopies()
    var admission: Admission
    var latches = LatchBook(.known([:]))
    var arrivals = Arrivals()
    /// How many links the adapters have and bear, which sessions ask before they connect.
    let slots = AdapterSlots()
    var draining = Draining()
    var roster = RosterDesk()

    // What comes in.
    var intake: Intake
    var requests: RequestDesk
    var groupCommands = GroupCommands()
    var reloads = ReloadQueue()
    var recordings = RecordingDesk()
    var scans = ScanDesk()

    // What goes out.
    var reports = BridgeReports()
    var announcements = Announcements()
    /// What every session is recorded with.
    let tape = Tape()
    var log = LogOutlet()

    // What runs by itself.
    var clockwork = Clockwork<BridgeTimer>()
    var rounds = Rounds()
    var rest = Rest()
    var discovery = DiscoveryControl()

    /// Work of the bridge that waits; it runs in the bridge's isolation.
    typealias Job = @Sendable (isolated Bridge) async -> Void

    /// The work that waits; ends when the bridge does. Bounded by what feeds it: sessions, one save, one change of
    /// discovery, requests under way.
    let jobs = AsyncStream<Job>.makeStream()
    /// The sessions' work, which ends when they do. It is apart: a group of tasks finds one that ends by looking at all that
    /// were begun before it.
    let lives = AsyncStream<Job>.makeStream()

    /// Makes a bridge; ``run()`` starts it.
    ///
    /// - Parameters:
    ///   - settings: What its configuration says.
    ///   - families: The families of devices that it knows.
    ///   - world: The ports.
    public init(settings: BridgeSettings, families: [any DeviceFamily], world: World) {
        self.settings = settings
        self.families = families
        self.world = world
        topics = Topics(bridge: settings.id, baseTopic: settings.baseTopic)
        broker = BrokerSide(peers: Peers(own: settings.id))
        intake = Intake(topics)
        admission = Admission(families)
        requests = RequestDesk(BridgeFeatures.requests(families))
        fleet = Fleet(settings, families)
        logger = world.logger
        slots.setting = settings.slots
        record = StatsRecord(at: world.time.now, date: world.time.date)
        twins = TwinWatch(host: settings.host, started: world.time.date)
    }

    /// Takes other families; the caller makes the sessions of those that changed anew.
    func use(_ families: [any DeviceFamily]) {
        self.families = families
        fleet.use(families)
        admission.use(families)
        requests.use(BridgeFeatures.requests(families))
    }
}
