import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@Suite("Backup and restore")
struct BackupTests {
    private static let first: Address = "AA:BB:CC:00:00:01"
    private static let second: Address = "AA:BB:CC:00:00:02"

    private func ask(_ bench: TestBridge, _ request: String, _ payload: String = "") -> JSON.Value? {
        bench.request(request, payload)
        return bench.broker.objects("bridge/attic/response/\(request)").last
    }

    private static func device(
        _ name: String, _ address: Address, _ family: String = "sample", _ more: JSON.Object = [:]
    ) -> JSON.Value {
        var object: JSON.Object = [
            "name": .string(name), "family": .string(family), "address": .string(address.description),
        ]
        for member in more.members { object[member.key] = member.value }
        return .object(object)
    }

    private static func payload(_ devices: [JSON.Value], _ settings: JSON.Object = [:]) -> String {
        let backup: JSON.Value = [
            "backup": ["version": 1, "devices": .array(devices), "settings": .object(settings)]
        ]
        return backup.description
    }

    private static func kept(_ devices: [BridgeState.Device]) -> MemoryStore {
        MemoryStore(BridgeState(devices: devices))
    }

    /// Runs a test with a bridge on its own host and a connected broker.
    private func withBridge(
        _ settings: BridgeSettings, store: MemoryStore = MemoryStore(), _ body: (TestBridge) throws -> Void
    ) rethrows {
        try withLab { lab in
            let bench = lab.bridge(settings, store: store)
            bench.connectBroker()
            try body(bench)
        }
    }

    @Test("A restored backup has the same names, former names and disconnected devices")
    func moves() throws {
        let store = Self.kept([
            .init(
                address: Self.first, family: "sample", name: "hall/left", memory: ["lacking": ["motion"]],
                formerNames: ["left"]),
            .init(address: Self.second, family: "sample", name: "right", isUserDisconnected: true),
            .init(address: BridgeSettings.sample, family: "sample", name: "sample", isJoined: false),
        ])
        var backup: JSON.Value?
        withBridge(.empty(), store: store) { bench in
            bench.configuration.backup = ConfigurationBackup(
                settings: ["mqtt": ["host": "here"], "groups": ["g": ["right"]]], leftOut: ["mqtt.password"])
            let answer = ask(bench, "backup")
            #expect(answer?["status"] == "ok")
            #expect(answer?["left_out"] == ["mqtt.password"])
            backup = answer?["backup"]
            #expect(
                backup?["devices"] == [
                    Self.device(
                        "hall/left", Self.first, "sample",
                        ["former_names": ["left"], "memory": ["lacking": ["motion"]]]),
                    Self.device("right", Self.second, "sample", ["held": true]),
                ])
        }
        let taken = try #require(backup)
        let target = MemoryStore()
        withBridge(.empty(), store: target) { bench in
            bench.configuration.backup = ConfigurationBackup(settings: ["mqtt": ["host": "there"]])
            let answer = ask(bench, "restore", JSON.Value.object(["backup": taken]).description)
            #expect(answer?["restored"] == ["hall/left", "right"])
            #expect(answer?["skipped"] == [])
            #expect(answer?["settings_differ"] == ["groups", "mqtt.host"])
            bench.hear(Self.first)
            bench.hear(Self.second)
            bench.time.advance(by: .seconds(1))
            #expect(bench.broker.retained("hall/left/availability") == "online")
            #expect(bench.broker.retainedObject("right/connection")?["reason"] == "disconnected by request")
            let kept = target.state.devices.filter(\.isJoined)
            // What the devices have stated about themselves on the new host is kept in addition.
            var same = kept
            for index in same.indices { same[index].memory["known"] = nil }
            #expect(same == store.state.devices.filter(\.isJoined))
            // A second restore changes nothing.
            let again = ask(bench, "restore", JSON.Value.object(["backup": taken]).description)
            #expect(again?["restored"] == ["hall/left", "right"])
            #expect(target.state.devices.filter(\.isJoined) == kept)
        }
    }

    @Test("Former names that are reserved or that another device has or had are not restored")
    func formerNames() {
        let (third, known): (Address, Address) = ("AA:BB:CC:00:00:03", "AA:BB:CC:00:00:04")
        let store = Self.kept([
            .init(address: known, family: "sample", name: "hall/left", formerNames: ["left"])
        ])
        withBridge(.empty(), store: store) { bench in
            bench.hear(known)
            let names: JSON.Value = [
                "left", "hall/left", "b", "bridge/attic/request", "all", "zone/x", "hall/connection",
                "attic/a",
            ]
            let devices = [
                Self.device("a", Self.first, "sample", ["former_names": names]),
                Self.device("b", Self.second),
                Self.device("c", third, "sample", ["former_names": ["attic/a", "attic/c"]]),
            ]
            #expect(ask(bench, "restore", Self.payload(devices))?["restored"] == ["a", "b", "c"])
            let former = Dictionary(
                uniqueKeysWithValues: store.state.devices.map { ($0.name, $0.formerNames) })
            #expect(
                former == ["hall/left": ["left"], "a": ["attic/a"], "b": [], "c": ["attic/c"]])
        }
    }

    @Test(
        "A device that cannot be restored is skipped with the reason, and the others are restored",
        arguments: [
            ("a", "sampel", "this bridge does not know the family sampel; allowed: sample"),
            ("bridge/a", "sample", "bridge is reserved for the bridge; allowed: a name other than bridge"),
            ("b", "sample", "another device has this name"),
            ("g", "sample", "the group g has this name; rename one of them"),
        ])
    func skipped(_ name: String, _ family: String, _ reason: String) throws {
        var settings = BridgeSettings.empty()
        settings.groups = [.init(name: "g", members: ["b"])]
        withBridge(settings) { bench in
            let devices = [Self.device("b", Self.second), Self.device(name, Self.first, family)]
            let answer = ask(bench, "restore", Self.payload(devices))
            #expect(answer?["status"] == "ok")
            #expect(answer?["restored"] == ["b"])
            let skipped = answer?["skipped"]?.array?.first
            #expect(skipped?["device"]?.string == name)
            #expect(skipped?["reason"]?.string?.hasPrefix(reason) == true, "\(answer ?? .null)")
        }
    }

    @Test("The configuration takes precedence: its devices, its limit and its rule for joining")
    func configured() throws {
        withBridge(.oneDevice()) { bench in
            let devices = [Self.device("mine", BridgeSettings.sample)]
            let answer = ask(bench, "restore", Self.payload(devices))
            #expect(
                answer?["skipped"]?.array?.first?["reason"] == "it is in the configuration of this bridge"
            )
            let backup = ask(bench, "backup")?["backup"]
            #expect(backup?["devices"] == [])
        }
        var full = BridgeSettings.empty()
        full.maxDevices = 1
        let two = Self.payload([Self.device("a", Self.first), Self.device("b", Self.second)])
        withBridge(full) { bench in
            let answer = ask(bench, "restore", two)
            #expect(answer?["restored"] == ["a"])
            let reason = answer?["skipped"]?.array?.first?["reason"]?.string ?? ""
            #expect(reason.contains("bluetooth.max_devices is 1") == true)
        }
        withBridge(.empty(join: .configured)) { bench in
            let answer = ask(bench, "restore", two)
            #expect(answer?["restored"] == [])
            let reason = answer?["skipped"]?.array?.first?["reason"]?.string ?? ""
            #expect(reason.contains("bluetooth.join is configured") == true)
        }
    }

    @Test("A device that already joined is renamed as in the backup")
    func renamed() throws {
        withBridge(.empty(join: .always)) { bench in
            bench.hear(Self.first)
            bench.time.advance(by: .seconds(1))
            #expect(bench.broker.retained("sample/availability") == "online")
            let answer = ask(bench, "restore", Self.payload([Self.device("hall/x", Self.first)]))
            #expect(answer?["restored"] == ["hall/x"])
            #expect(bench.broker.retained("hall/x/availability") == "online")
            #expect(bench.broker.retained("sample/availability") == nil)
        }
    }

    @Test(
        "An invalid backup is refused as a whole, and the error names the place",
        arguments: [
            ("{}", "backup"), (#"{"backup":{"version":2,"devices":[]}}"#, "version"),
            (#"{"backup":{"version":1}}"#, "devices"),
            (
                #"{"backup":{"version":1,"devices":[{"name":"a","family":"sample","address":"x"}]}}"#,
                "address"
            ),
            (
                #"{"backup":{"version":1,"devices":[{"name":"a","family":"sample","address":"AA:BB:CC:00:00:01","link_key":"00"}]}}"#,
                "link_key"
            ),
        ])
    func wrong(_ payload: String, _ place: String) throws {
        withBridge(.empty()) { bench in
            let answer = ask(bench, "restore", payload)
            #expect(answer?["status"] == "error")
            #expect(answer?["message"]?.string?.contains(place) == true, "\(answer ?? .null)")
            #expect(ask(bench, "devices")?["devices"] == [])
        }
    }

    @Test("A robot with a released emergency stop is stopped on the new host until you check it")
    func latch() throws {
        let settings = BridgeSettings(id: "attic", families: ["press": [:]])
        let key = try #require(LatchFamily().latching?.memoryKey)
        for (memory, latch) in [(JSON.Value.bool(false), Latch.unconfirmed), (true, .latched)] {
            withLab { lab in
                let bench = lab.bridge(settings, families: [LatchFamily()])
                bench.connectBroker()
                let device = Self.device(
                    "r", Self.first, "press", ["memory": .object(JSON.Object([(key, memory)]))])
                #expect(ask(bench, "restore", Self.payload([device]))?["restored"] == ["r"])
                #expect(bench.latches.latches[Self.first] == latch)
            }
        }
    }

    @Test("Commands during a restore do not wait until all its devices are added")
    func turns() throws {
        var settings = BridgeSettings.oneDevice()
        settings.join = .permit
        let devices = (0..<100).map {
            Self.device("n\($0)", Address(number: 0xAABB_CC00_0000 + UInt64($0)))
        }
        withBridge(settings) { bench in
            bench.hear(BridgeSettings.sample)
            bench.time.advance(by: .seconds(1))
            bench.broker.clearLog()
            bench.lab.executor.perform {
                bench.request("restore", Self.payload(devices))
                bench.send("level", "60")
            }
            let topics = bench.broker.log.map(\.message.topic)
            let restored = topics.firstIndex(of: "bridge/attic/response/restore")
            let answered = topics.firstIndex { $0.hasSuffix("/result") }
            #expect(restored != nil && answered != nil, "\(Set(topics))")
            #expect((answered ?? .max) < (restored ?? 0))
            let last = topics.firstIndex { $0.hasPrefix("n99/") }
            #expect((answered ?? .max) < (last ?? 0), "the command waited for the last device")
        }
    }

    /// Runs a closure after some rounds of the executor.
    private static func later(
        by rounds: Int, _ executor: ManualExecutor, _ body: @escaping @Sendable () -> Void
    ) {
        executor.later { rounds > 1 ? later(by: rounds - 1, executor, body) : body() }
    }

    @Test("A device whose advertisement arrives before its turn keeps its restored name")
    func heard() throws {
        var settings = BridgeSettings.empty(join: .always)
        settings.maxDevices = 1000
        let last = Address(number: 0xAABB_CC00_0063)
        let devices = (0..<100).map {
            Self.device("n\($0)", Address(number: 0xAABB_CC00_0000 + UInt64($0)))
        }
        withBridge(settings) { bench in
            bench.lab.executor.perform {
                bench.request("restore", Self.payload(devices))
                // In the middle of the restore.
                let radio = bench.radio
                Self.later(by: 6, bench.lab.executor) {
                    radio.hear(Advertisement(address: last, name: "sample device"))
                }
            }
            bench.time.advance(by: .seconds(1))
            let joined = bench.broker.objects("bridge/attic/event").filter {
                $0["event"] == "device_joined" && $0["address"]?.string == last.description
            }
            #expect(joined.map { $0["device"] } == ["n99"])
            #expect(ask(bench, "devices")?["devices"]?.array?.count == 100)
            bench.hear(last)
            bench.time.advance(by: .seconds(1))
            #expect(bench.broker.retained("n99/availability") == "online")
        }
    }
}
