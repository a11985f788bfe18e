import Bluetooth
import DBus
public import EventLoop
public import Logging

/// Speaks with bluetoothd: adapters, discovery, devices, links to them, bonding.
///
/// It runs on the thread of its event loop, as the D-Bus connection does, so that a notification goes from the
/// bus to its handler without a thread change. While ``run()`` is under way it stays with bluetoothd: a lost bus
/// is opened again, and a bluetoothd that vanished is taken up again when it is back. Links do not survive
/// that, wishes for discovery and the pairing agent do.
public actor Client {
    /// The loop that it runs on.
    public nonisolated let loop: EventLoop
    /// What it was made with.
    public nonisolated let settings: Settings

    let logger: Logger

    // The bus and bluetoothd on it.
    var connection: Connection?
    var owner: String?
    var signalSubscriptions: [DBus.Subscription] = []
    var reloadTimer: LoopTimer?
    /// Counts the lives of bluetoothd, so that answers of an earlier one are not taken for the present one's.
    var life: UInt64 = 0
    var isServing = false
    var awayReason: String

    // Its objects.
    var tree = ObjectTree()
    /// What was signalled while the list of all objects was on its way.
    var earlySignals: [ObjectSignal] = []
    var waits: [WaitSubject: WaitEntry] = [:]
    /// The adapters that are allowed and switched on.
    var usableAdapters: Set<ObjectPath> = []
    /// The names of those that bear no more links.
    var fullAdapters: Set<String> = []

    // Listeners.
    var listeners: [@Sendable (RadioEvent) -> Void] = []
    var gate: AdvertisementGate
    var heardAt: [Bluetooth.Address: Duration] = [:]

    // The names of adapters on the bus.
    var claims: [String: Claim] = [:]
    /// The names whose claims are to be looked at.
    var openClaims: Set<String> = []
    var claimsInput: AsyncStream<Void>.Continuation?
    /// The adapters that this program may use as far as other programs go.
    var claimedAdapters: Set<String> = [] {
        didSet { updateUsableAdapters() }
    }
    /// The adapters that were told to be ready.
    var readyAdapters: Set<ObjectPath> = []
    /// The adapters that the settings name, as they name them, and bluetoothd does not have.
    var absentAdapters: [String] = []
    /// What was said of claims already, so that it is said once.
    var claimRemarks: Set<String> = []

    // Discovery.
    var discoveryTokens: Set<UInt64> = []
    var discoveries: [ObjectPath: Discovery] = [:]

    // Links.
    var connects = ConnectTable()
    /// The devices that this program bonds with, with what is needed of them.
    var pairing: [Bluetooth.Address: LinkRequirements] = [:]
    var agentState = AgentState.unregistered
    var links = LinkTable()
    var sinks: [ObjectPath: NotificationSink] = [:]

    private var lastNumber: UInt64 = 0

    /// Runs the client on the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes a client; nothing happens before ``run()``.
    public init(settings: Settings = Settings(), loop: EventLoop, logger: Logger? = nil) {
        self.loop = loop
        self.settings = settings
        self.logger = logger ?? Logger(label: "bluez")
        gate = AdvertisementGate(interval: settings.limits.advertisementInterval)
        awayReason = "the bus \(settings.bus) is not reached yet"
    }

    var limits: Limits { settings.limits }

    func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}
