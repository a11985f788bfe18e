import Bluetooth
import CoreMetrics
public import DeviceKit
import Haptics
import JSON
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
        /// Who makes the devices safe if the bridge dies; nobody if nil.
        public var guardian: (any Guardian)?
        /// Where the bridge and its sessions run, with all that they start; best the thread of the radio and the
        /// broker.
        public var executor: any SerialExecutor & TaskExecutor
        /// Where remarks go.
        public var logger: Logger
        /// The process that the bridge runs in.
        public var process: any HostProcess
        /// Where the configuration is read anew.
        public var configuration: any ConfigurationSource

        /// Puts a world together.
        public init(
            radio: any Radio, broker: any Broker, store: any StateStore,
            latches: any LatchStore, time: any TimeSource, guardian: (any Guardian)? = nil,
            executor: any SerialExecutor & TaskExecutor, logger: Logger,
            process: any HostProcess, configuration: any ConfigurationSource
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
        }
    }

    /// The executor that ``World`` gave.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { world.executor.asUnownedSerialExecutor() }

    nonisolated let world: World
    nonisolated let topics: Topics

    /// What its configuration says, as it was read last.
    var settings: BridgeSettings
    /// The families of devices that it knows; the first that recognises a device counts.
    private(set) var families: [any DeviceFamily]
    var groups: Groups
    var sessions: [Address: DeviceSession] = [:]
    /// The sessions that have not ended, by the number of their entrance.
    var entrances: [Int: DeviceSession] = [:]
    var entranceCount = 0
    var patterns: Library
    var names: DeviceNames
    /// The names that devices had, and until when a command that was under way to one of them is answered.
    var formerNames: [String: Duration] = [:]
    var state = BridgeState()
    /// The devices that had a name and obey stops under it.
    var formerBearers: [String: Set<Address>] = [:]
    /// What is known of the other bridges, and of what the broker has in store.
    var peers: Peers
    var stored = StoredMessages<StoreKey>()
    var isMarkerWanted = false
    var latches = LatchBook(.known([:]))
    var permit: Permit?
    /// What others say of themselves more often than it is heard.
    var pacing = Pacing()
    /// How many requests are taken.
    var requestLimit = RateLimit(perSecond: 50, burst: 300)
    /// What was heard that has not joined.
    var discovered = DiscoveryBook()
    /// The devices that were let in and have not been online so far.
    var joining: [Address: Joining] = [:]
    /// The input devices that nobody let in as such: they are not tried again until somebody permits to join anew.
    var turnedAway: Set<Address> = []
    /// What stands beside Home Assistant's button that permits to join.
    var buttonNames: [(address: Address, text: String)] = []
    var adapters: Set<String> = []
    var lostAdapters: Set<String> = []
    /// The adapters that other programs have, and which.
    var heldAdapters: [String: String] = [:]
    var wasServiceLost = false
    var serviceLoss: String? = "the Bluetooth service was not found yet"
    var brokerVersion: String?
    var radioDescription = RadioDescription()
    var renewal = Renewal.none
    var echoes = Echoes()
    let echoTimer = Timer(label: "tactile_bridge_echo_seconds")
    /// The subscriptions that the broker has granted on this connection.
    var granted: Set<String> = []
    /// What the gates of devices knew that got another session, or were let go.
    var formerGates: [Address: MotionGate] = [:]
    var detectsStalls = false
    var hasWarnedOfClock = false
    var isStopping = false
    /// Whether the bridge has said its last word.
    var hasSaidGoodbye = false
    var logger: Logger
    let started: TimeStamp
    let startedAt: Duration

    var discovery: (any DiscoveryToken)?
    var isChangingDiscovery = false
    var isSaving = false
    /// How often what costs time with each device may be done.
    var saving = Moderation()
    var reporting = Moderation()
    var areDevicesUnreported = false
    /// The devices of which something is new that Home Assistant is to know.
    var unannounced: Set<Address> = []
    var isTidyingUp = false
    var destinations: [String: Topics.Destination?] = [:]
    private var tables: [String: FeatureTable] = [:]
    var needsSaving = false
    /// Topics that are cleared as soon as the broker is there.
    var staleTopics: Set<String> = []
    var eventCount = 0
    /// When figures were published last.
    var lastStats: Duration
    var timers = Timers<BridgeTimer>()
    var alarm = Alarm()
    var isReloading = false
    var isReloadWanted = false
    /// Those who wait for the answer to a reload that has not begun.
    var reloadRequests: [PendingRequest] = []
    /// What the devices that were let go had counted, by family.
    var retiredCounters: [String: DeviceCounters] = [:]
    /// What the broker refuses since the connection was made: a topic and why.
    var refusals: [String: String] = [:]
    /// Commands to groups whose members have not all answered, by the number that each was given.
    var groupCommands: [Int: GroupCommand] = [:]
    var groupCommandCount = 0
    /// The last numbers of the groups' results.
    var groupSequences: [String: Int] = [:]
    var reports: [String: JSON.Value] = [:]
    var announcements: [String: [UInt8]] = [:]

    /// Work of the bridge that waits; it runs in the bridge's isolation.
    typealias Job = @Sendable (isolated Bridge) async -> Void

    /// What is to be waited for; ends when the bridge does. Bounded by what feeds it: sessions, one save, one
    /// change of discovery, requests under way.
    let jobs: AsyncStream<Job>
    let jobsInput: AsyncStream<Job>.Continuation
    /// Told once, when the bridge shall end.
    let ending: AsyncStream<Void>
    let endingInput: AsyncStream<Void>.Continuation

    /// Makes a bridge; ``run()`` starts it.
    ///
    /// - Parameters:
    ///   - settings: What its configuration says.
    ///   - families: The families of devices that it knows, the first that recognises a device counts.
    ///   - world: The ports.
    public init(settings: BridgeSettings, families: [any DeviceFamily], world: World) {
        self.settings = settings
        self.families = families
        self.world = world
        patterns = settings.patterns
        topics = Topics(bridge: settings.id, baseTopic: settings.baseTopic)
        peers = Peers(own: settings.id)
        groups = Groups(settings.groups, families: families)
        names = DeviceNames(reserved: settings.reservedNames.union(groups.names).union(["bridge"]))
        logger = world.logger
        (started, startedAt) = (world.time.date, world.time.now)
        lastStats = startedAt
        (jobs, jobsInput) = AsyncStream.makeStream()
        (ending, endingInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes other families; the sessions of those that changed are made anew by the caller.
    func use(_ families: [any DeviceFamily]) {
        self.families = families
        tables = [:]
    }

    /// The features of a family.
    func features(of family: any DeviceFamily) -> FeatureTable {
        if let table = tables[family.name] { return table }
        let table = FeatureTable(family)
        tables[family.name] = table
        return table
    }
}
