import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Logging
import ServiceLifecycleTestKit
import Synchronization

/// A broker, a clock and any number of bridges. Nothing happens in it automatically.
final class Lab {
    let executor = ManualExecutor()
    let time: VirtualTime
    let broker: FakeBroker
    fileprivate var benches: [TestBridge] = []
    /// The devices that the hosts of future bridges know.
    var known: [Advertisement] = []

    init() {
        time = VirtualTime(executor: executor)
        broker = FakeBroker(executor: executor, time: time)
    }

    /// Starts a bridge. The test connects its broker.
    func bridge(
        _ settings: BridgeSettings, families: [any DeviceFamily] = [SampleFamily()],
        store: MemoryStore = MemoryStore(), latches: MemoryLatchStore? = nil, adapter: String? = "hci0",
        logLevel: Logger.Level = .trace
    ) -> TestBridge {
        let latches = latches ?? MemoryLatchStore(executor: executor)
        let bench = TestBridge(self, settings, families, store, latches, adapter, logLevel)
        benches.append(bench)
        return bench
    }

    fileprivate func end() { for bench in benches { bench.cancel() } }
}

/// Runs a test in a new lab, and stops the bridges afterwards.
func withLab(_ body: (Lab) throws -> Void) rethrows {
    let lab = Lab()
    defer { lab.end() }
    try body(lab)
}

/// Runs a test with a bridge that has one configured sample device.
func withBridge(_ family: SampleFamily = SampleFamily(), _ body: (TestBridge) throws -> Void) rethrows {
    try withLab { lab in try body(lab.bridge(.oneDevice(), families: [family])) }
}

/// A bridge among fakes, with common actions of tests.
final class TestBridge {
    let lab: Lab
    let client: FakeBrokerClient
    let radio: FakeRadio
    let store: MemoryStore
    let latches: MemoryLatchStore
    let guardian: FakeGuardian
    let log = LogRecord()
    let process = FakeHostProcess()
    let configuration: FakeConfigurationSource
    let recordings = MemoryRecordings()
    private let bridge: Bridge
    private let task: Task<Void, any Error>
    private let trigger: Trigger
    private let outcome = Outcome()

    private final class Trigger: Sendable {
        let value = Mutex<GracefulShutdownTestTrigger?>(nil)
    }
    private final class Outcome: Sendable {
        let isOver = Mutex(false)
        let isReadyToSleep = Mutex(false)
    }

    fileprivate init(
        _ lab: Lab, _ settings: BridgeSettings, _ families: [any DeviceFamily], _ store: MemoryStore,
        _ latches: MemoryLatchStore, _ adapter: String?, _ logLevel: Logger.Level
    ) {
        self.lab = lab
        self.store = store
        self.latches = latches
        guardian = FakeGuardian(executor: lab.executor)
        client = lab.broker.client(settings.id)
        radio = FakeRadio(executor: lab.executor, adapter: adapter)
        radio.setAddress(Address(number: 0x00AA_0100_0000 + UInt64(lab.benches.count)))
        radio.know(lab.known)
        configuration = FakeConfigurationSource(settings)
        bridge = Bridge(
            settings: settings, families: families,
            ports: Bridge.Ports(
                radio: radio, broker: client, store: store, latches: latches, time: lab.time,
                guardian: guardian, executor: lab.executor, logger: log.logger(from: logLevel),
                process: process,
                configuration: configuration, recordings: recordings))
        let (trigger, outcome, bridge) = (Trigger(), outcome, bridge)
        self.trigger = trigger
        task = Task(executorPreference: lab.executor) {
            try await testGracefulShutdown { shutdown in
                trigger.value.withLock { $0 = shutdown }
                do { try await bridge.run() } catch is BridgeWithdrawal {}
            }
            outcome.isOver.withLock { $0 = true }
        }
        lab.executor.drain()
    }

    var broker: FakeBroker { lab.broker }
    var time: VirtualTime { lab.time }
    /// Whether the bridge has stopped.
    var isOver: Bool { outcome.isOver.withLock { $0 } }

    /// Whether the bridge has made the devices safe for the host's sleep.
    var isReadyToSleep: Bool { outcome.isReadyToSleep.withLock { $0 } }

    /// Informs the bridge that the host is about to sleep.
    func goToSleep() {
        lab.executor.perform {
            let (bridge, outcome) = (bridge, outcome)
            _ = Task(executorPreference: lab.executor) {
                await bridge.prepareForSleep()
                outcome.isReadyToSleep.withLock { $0 = true }
            }
        }
    }

    /// Informs the bridge that the host is awake.
    func wakeUp() {
        lab.executor.perform {
            let bridge = bridge
            _ = Task(executorPreference: lab.executor) { await bridge.awake() }
        }
    }

    /// Shuts the bridge down, like SIGTERM.
    func shutDown() {
        let trigger = trigger.value.withLock { $0 }
        lab.executor.perform { trigger?.triggerGracefulShutdown() }
    }

    /// Makes the bridge reload its configuration, like SIGHUP.
    func hangUp() {
        lab.executor.perform { bridge.assumeIsolated { $0.reload() } }
    }

    /// Cancels the bridge without a shutdown.
    func cancel() { lab.executor.perform { task.cancel() } }

    // MARK: Common actions

    /// Connects the broker, and waits until retained claims have arrived.
    func connectBroker() {
        client.connect()
        time.advance(by: .milliseconds(500))
    }

    /// Delivers an advertisement of a device.
    func hear(
        _ address: Address = BridgeSettings.sample, name: String? = "sample device", rssi: Int? = -60,
        isPaired: Bool = false, isConnected: Bool = false
    ) {
        radio.hear(
            Advertisement(
                address: address, name: name, rssi: rssi, isPaired: isPaired, isConnected: isConnected))
    }

    /// Connects the broker and the device.
    func goOnline() {
        connectBroker()
        hear()
    }

    /// The newest link to a device.
    func link(_ address: Address = BridgeSettings.sample) -> FakeLink? { radio.links(address).last }
}
