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

    var service: ServiceState
    var tree = ObjectTree()
    var waits: [WaitSubject: WaitEntry] = [:]
    var listeners: [@Sendable (RadioEvent) -> Void] = []
    var adapters: AdapterTable
    var leases = LeaseTable()
    var discovery = DiscoveryTable()
    var gate: AdvertisementGate
    var connects = ConnectTable()
    var links = LinkTable()
    /// Where the notifications of characteristics go, by object path.
    var sinks: [ObjectPath: NotificationSink] = [:]
    /// The devices that this program bonds with, with what is needed of them.
    var pairing: [Bluetooth.Address: LinkRequirements] = [:]
    var agentState = AgentState.unregistered
    private var lastNumber: UInt64 = 0

    /// Runs the client on the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes a client; nothing happens before ``run()``.
    public init(settings: Settings = Settings(), loop: EventLoop, logger: Logger? = nil) {
        self.loop = loop
        self.settings = settings
        self.logger = logger ?? Logger(label: "bluez")
        service = ServiceState(awayReason: "the bus \(settings.bus) is not reached yet")
        adapters = AdapterTable(settings)
        gate = AdvertisementGate(interval: settings.limits.advertisementInterval)
    }

    var limits: Limits { settings.limits }
    var isServing: Bool { service.isServing }
    var life: UInt64 { service.life }

    func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}
