import Bluetooth
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

    nonisolated let families: [any DeviceFamily]
    nonisolated let world: World
    nonisolated let topics: Topics

    /// What its configuration says, as it was read last.
    var settings: BridgeSettings
    var fleet: Fleet
    var patterns: Library
    var kept = KeptState()
    var formerNames = FormerNames()
    var broker: BrokerSide
    var latches = LatchBook(.known([:]))
    var admission: Admission
    /// What others say of themselves more often than it is heard.
    var pacing = Pacing()
    var requests: RequestDesk
    var radio = RadioStatus()
    var detectsStalls = false
    var isStopping = false
    /// Whether the bridge has said its last word.
    var hasSaidGoodbye = false
    var logger: Logger
    var record: StatsRecord
    var discovery: (any DiscoveryToken)?
    var isChangingDiscovery = false
    /// How often what costs time with each device may be done.
    var reporting = Moderation()
    var areDevicesUnreported = false
    /// The devices of which something is new that Home Assistant is to know.
    var unannounced: Set<Address> = []
    var isTidyingUp = false
    var destinations: [String: Topics.Destination?] = [:]
    var eventCount = 0
    var timers = Timers<BridgeTimer>()
    var alarm = Alarm()
    var reloads = ReloadQueue()
    var groupCommands = GroupCommands()
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
        broker = BrokerSide(peers: Peers(own: settings.id))
        admission = Admission(families)
        requests = RequestDesk(Self.requests(families))
        fleet = Fleet(settings, families)
        logger = world.logger
        record = StatsRecord(at: world.time.now, date: world.time.date)
        (jobs, jobsInput) = AsyncStream.makeStream()
        (ending, endingInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }
}
