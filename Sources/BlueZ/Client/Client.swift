import Bluetooth
import DBus
public import EventLoop
public import Logging

/// A client of bluetoothd: adapters, discovery, devices, links and bonding.
///
/// The client and the D-Bus connection run on the thread of the same event loop, so notifications reach their handlers
/// without a thread change. While ``run()`` is running, the client reconnects to a lost bus, and continues with a
/// restarted bluetoothd. Links end when the bus or bluetoothd is lost. Discovery requests and the registration of the
/// pairing agent are renewed.
public actor Client {
    /// The event loop on whose thread the client runs.
    public nonisolated let loop: EventLoop
    /// The settings of the client.
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
    /// The receivers of notifications, by the characteristic's object path.
    var sinks: [ObjectPath: NotificationSink] = [:]
    /// The devices that this program is bonding with, with their requirements.
    var pairing: [Bluetooth.Address: LinkRequirements] = [:]
    var agentState = AgentState.unregistered
    private var lastNumber: UInt64 = 0

    /// The executor of the event loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Creates a client, which is idle until ``run()``.
    public init(settings: Settings = Settings(), loop: EventLoop, logger: Logger? = nil) {
        self.loop = loop
        self.settings = settings
        self.logger = logger ?? Logger(label: "bluez")
        service = ServiceState(awayReason: "not connected to the bus \(settings.bus) yet")
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
