import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Logging
import Messages
import Testing

@Suite("Emergency stops outlive the bridge, and are kept for unknown devices")
struct LatchTests {
    private static let address: Address = "AA:BB:CC:A1:B2:C3"

    private static func settings(
        _ bridge: String = "attic", join: BridgeSettings.JoinPolicy = .permit, isConfigured: Bool = true
    ) -> BridgeSettings {
        BridgeSettings(
            id: bridge, join: join,
            devices: isConfigured ? [.init(name: "press", family: "press", address: address)] : [])
    }

    /// Starts a bridge with the family of presses.
    private static func start(
        _ lab: Lab, _ settings: BridgeSettings = settings(), state: BridgeState = BridgeState(),
        latches: MemoryLatchStore? = nil
    ) -> TestBridge {
        lab.bridge(settings, families: [LatchFamily()], store: MemoryStore(state), latches: latches)
    }

    private static func heard(_ bench: TestBridge) -> String? { bench.broker.retained("press/heard") }

    // MARK: Initial latch

    @Test("A device without a latch starts as unconfirmed, and this latch is stored")
    func unknown() {
        withLab { lab in
            let bench = Self.start(lab)
            bench.connectBroker()
            #expect(Self.heard(bench) == "unconfirmed, recalling, known")
            #expect(bench.latches.latches == [Self.address: .unconfirmed])
        }
    }

    @Test(
        "An emergency stop in the memory of the state file is migrated once",
        arguments: [(true, Latch.latched), (false, .clear)])
    func migration(value: Bool, latch: Latch) {
        withLab { lab in
            let state = BridgeState(devices: [
                .init(
                    address: Self.address, family: "press", name: "press",
                    memory: ["stopped": .bool(value), "other": 1])
            ])
            let bench = Self.start(lab, state: state)
            bench.connectBroker()
            #expect(Self.heard(bench)?.hasPrefix(latch.rawValue) == true)
            #expect(bench.latches.latches == [Self.address: latch])
            #expect(bench.store.state.devices[0].memory == ["other": 1])
        }
    }

    @Test("A latch takes precedence over the state file")
    func latchCounts() {
        for latch in Latch.allCases {
            withLab { lab in
                let latches = MemoryLatchStore([Self.address: latch], executor: lab.executor)
                let state = BridgeState(devices: [
                    .init(
                        address: Self.address, family: "press", name: "press",
                        memory: latch == .clear ? ["stopped": true] : [:])
                ])
                let bench = Self.start(lab, state: state, latches: latches)
                bench.connectBroker()
                #expect(Self.heard(bench)?.hasPrefix(latch.rawValue) == true)
            }
        }
    }

    @Test("Unreadable latches stop every device, and no latch is created")
    func unreadable() {
        withLab { lab in
            let latches = MemoryLatchStore(
                [Self.address: .clear], unreadable: "Input/output error", executor: lab.executor)
            let bench = Self.start(lab, latches: latches)
            bench.connectBroker()
            #expect(Self.heard(bench)?.hasPrefix("latched") == true)
            #expect(bench.log.count(.error, "emergency stops cannot be read") == 1)
            #expect(latches.latches == [Self.address: .clear])
        }
    }

    @Test("A device that you admit starts clear, and a device that joins automatically does not")
    func joining() {
        withLab { lab in
            let bench = Self.start(lab, Self.settings(isConfigured: false))
            bench.connectBroker()
            bench.request("permit_join", "60")
            bench.hear(Self.address, name: "press")
            #expect(Self.heard(bench)?.hasPrefix("clear") == true)
        }
        withLab { lab in
            let bench = Self.start(lab, Self.settings(join: .always, isConfigured: false))
            bench.connectBroker()
            bench.hear(Self.address, name: "press")
            #expect(Self.heard(bench)?.hasPrefix("unconfirmed") == true)
        }
    }

    @Test("An emergency stop is kept after forget, and applies when the device is admitted again")
    func forget() {
        withLab { lab in
            let bench = Self.start(lab, Self.settings(isConfigured: false))
            bench.connectBroker()
            bench.request("permit_join", "60")
            bench.hear(Self.address, name: "press")
            bench.time.advance(by: .seconds(1))
            bench.send("emergency_stop", "", device: "press")
            bench.request("forget", "press")
            bench.time.advance(by: .seconds(1))
            #expect(Self.heard(bench) == nil && bench.latches.latches == [Self.address: .latched])
            bench.request("permit_join", "60")
            bench.hear(Self.address, name: "press")
            #expect(Self.heard(bench)?.hasPrefix("latched") == true)
        }
    }

    @Test("An emergency stop that the disk rejected is kept across a reload")
    func reload() {
        withLab { lab in
            let bench = Self.start(lab)
            bench.goOnlineAsPress()
            bench.latches.setDisk(.refuses("No space left on device"))
            bench.send("emergency_stop", "", device: "press")
            #expect(bench.broker.objects("press/result").last?["latch"] == "No space left on device")
            var settings = Self.settings()
            settings.devices[0].settings = ["x": 1]
            bench.reload(settings)
            #expect(Self.heard(bench)?.hasPrefix("latched") == true)
        }
    }

    // MARK: Storing

    @Test("The device is written to before the disk")
    func order() {
        withLab { lab in
            let bench = Self.start(lab)
            bench.goOnlineAsPress()
            bench.latches.setDisk(.hangs)
            bench.send("emergency_stop", "", device: "press")
            #expect(bench.link(Self.address)?.writes(LatchFamily.motor) == [[0]])
            #expect(bench.broker.objects("press/result").isEmpty)
            #expect(bench.latches.latches[Self.address] == .unconfirmed)
            bench.latches.setDisk(.works)
            #expect(bench.broker.objects("press/result").last?["latch"] == "kept")
            #expect(bench.latches.latches[Self.address] == .latched)
            bench.send("release", "", device: "press")
            #expect(bench.latches.latches[Self.address] == .clear)
        }
    }

    // MARK: Recalling

    @Test("A retained emergency stop is recalled from the broker before the bridge publishes the state")
    func recall() {
        withLab { lab in
            lab.broker.send("press/status", #"{"emergency_stop":true}"#, retain: true)
            let bench = Self.start(lab)
            bench.client.setProbeFate(.held)
            bench.client.connect()
            #expect(bench.client.filters.contains(TopicFilter("press/status", qos: 0)))
            bench.hear(Self.address, name: "press")
            #expect(bench.broker.retained("press/availability") == "online")
            bench.time.advance(by: .milliseconds(499))
            #expect(bench.broker.texts("press/status").isEmpty, "it would overwrite what it asks for")
            // A returned echo proves that all retained messages have arrived.
            bench.client.releaseProbes()
            #expect(Self.heard(bench) == "unconfirmed, recalling, recalled true, known")
            #expect(bench.broker.retainedObject("press/status") == ["emergency_stop": true])
            #expect(!bench.client.filters.contains { $0.filter == "press/status" })
            // Later messages of this bridge or of another client are not recalled.
            bench.client.deliverLate("press/status", #"{"emergency_stop":true}"#)
            #expect(Self.heard(bench) == "unconfirmed, recalling, recalled true, known")
        }
    }

    @Test("Without a broker the recall does not end, and it restarts after a reconnect")
    func noBroker() {
        withLab { lab in
            let bench = Self.start(lab)
            bench.client.setProbeFate(.held)
            bench.hear(Self.address, name: "press")
            bench.time.advance(by: .seconds(60))
            bench.client.connect()
            #expect(Self.heard(bench) == "unconfirmed, recalling")
            bench.time.advance(by: .milliseconds(300))
            bench.client.lose()
            bench.time.advance(by: .seconds(60))
            bench.client.connect()
            #expect(Self.heard(bench) == "unconfirmed, recalling")
            bench.client.setProbeFate(.delivered)
            bench.time.advance(by: .milliseconds(500))
            #expect(Self.heard(bench) == "unconfirmed, recalling, known")
        }
    }

    @Test("A device that is renamed during the recall is recalled under its new name")
    func renamed() {
        withLab { lab in
            lab.broker.send("hall/press/status", #"{"emergency_stop":true}"#, retain: true)
            let bench = Self.start(lab, Self.settings(isConfigured: false))
            bench.connectBroker()
            bench.request("permit_join", "60")
            bench.hear(Self.address, name: "press")
            bench.request("rename", #"{"device":"press","to":"hall/press"}"#)
            bench.time.advance(by: .seconds(1))
            #expect(bench.broker.retained("hall/press/heard") == "clear, recalling, recalled true, known")
            #expect(!bench.client.filters.contains { $0.filter.hasSuffix("press/status") })
        }
    }

    @Test("A device that moves from another bridge is recalled again")
    func takeover() {
        withLab { lab in
            let first = Self.start(lab, Self.settings("attic"))
            first.goOnlineAsPress()
            let second = Self.start(lab, Self.settings("cellar"))
            second.connectBroker()
            // The bridge does not receive the stops of a device that another bridge has, so no echo proves the end of
            // the recall.
            second.time.advance(by: .seconds(5))
            #expect(Self.heard(second) == "unconfirmed, recalling, known")
            first.send("emergency_stop", "", device: "press")
            #expect(second.latches.latches == [Self.address: .unconfirmed])
            first.cancel()
            second.hear(Self.address, name: "press")
            second.time.advance(by: .seconds(1))
            #expect(
                Self.heard(second)
                    == "unconfirmed, recalling, known, recalling, recalled true, known")
        }
    }
}

extension TestBridge {
    /// Connects the broker and the press, and waits until retained messages have arrived.
    fileprivate func goOnlineAsPress() {
        connectBroker()
        hear("AA:BB:CC:A1:B2:C3", name: "press")
        time.advance(by: .seconds(1))
    }
}
