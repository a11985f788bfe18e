import Bluetooth
import BridgeTesting
import Claims
import DeviceKit
import HostTesting
import JSON
import Logging
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Names that are reserved, and names at the roots of other families")
struct ReservedNameTests {
    private static let short = "sample/a1b2c3"

    private static func configured(_ name: String) -> BridgeSettings {
        var settings = BridgeSettings.oneDevice()
        settings.devices[0].name = name
        return settings
    }

    private static func joined(_ name: String) -> MemoryStore {
        MemoryStore(
            BridgeState(devices: [
                BridgeState.Device(address: BridgeSettings.sample, family: "sample", name: name)
            ]))
    }

    private func stops(_ bench: TestBridge) -> Int {
        bench.link()?.writes(SampleFamily.motor).count { $0 == [0] } ?? 0
    }

    private func know(_ lab: Lab, _ families: String, of bridge: String = "hall") {
        lab.broker.send("bridge/\(bridge)/families", families, retain: true)
        lab.executor.drain()
    }

    @Test(
        "A configured device with a reserved name is renamed to <family>/<id>, and obeys stops under both names",
        arguments: ["zone/left", "reply/operator/t", "hall/state", "hall/action"])
    func configuration(name: String) {
        withLab { lab in
            let bench = lab.bridge(Self.configured(name))
            bench.goOnline()
            #expect(bench.availability(Self.short) == "online")
            #expect(!lab.broker.retainedTopics.contains { $0.hasPrefix(name + "/") })
            #expect(bench.log.count(.warning, "\"device\": \(name)") == 1)
            bench.send("halt", "", device: name)
            bench.send("halt", "", device: Self.short)
            #expect(stops(bench) == 2)
            bench.send("level", "60", device: name)
            #expect(!bench.control.contains([5, 60]))
            bench.send("level", "60", device: Self.short)
            #expect(bench.control.contains([5, 60]))
        }
    }

    @Test(
        "A joined device with a reserved name is renamed, and its new name is kept and written to the roster")
    func state() {
        let store = Self.joined("zone/left")
        withLab { lab in
            lab.broker.send("zone/left/level", "5", retain: true)
            lab.broker.send(
                "roster/aabbcca1b2c3",
                #"{"v":1,"name":"zone/left","family":"sample","preferred":["hall"],"by":"x","time":"2026-01-31T12:00:00.000Z"}"#,
                retain: true)
            let bench = lab.bridge(.empty(), store: store)
            bench.goOnline()
            #expect(bench.availability(Self.short) == "online")
            #expect(lab.broker.retainedObject("roster/aabbcca1b2c3")?["name"]?.string == Self.short)
            #expect(lab.broker.retainedObject("roster/aabbcca1b2c3")?["preferred"] == ["hall"])
            #expect(bench.log.count(.warning, "the name of a device is reserved") == 1)
            bench.send("halt", "", device: "zone/left")
            #expect(stops(bench) == 1)
        }
        #expect(store.state.devices.map(\.name) == [Self.short])
        #expect(store.state.devices.map(\.formerNames) == [["zone/left"]])
        withLab { lab in
            let bench = lab.bridge(.empty(), store: store)
            bench.goOnline()
            bench.send("halt", "", device: "zone/left")
            #expect(stops(bench) == 1 && bench.log.count(.warning, "reserved") == 0)
        }
    }

    @Test("A group with a reserved name takes only stops, and is not listed")
    func group() {
        withLab { lab in
            var settings = BridgeSettings.oneDevice()
            settings.groups = [.init(name: "zone/hall", members: ["sample"])]
            let bench = lab.bridge(settings)
            bench.goOnline()
            bench.send("level", "60", device: "zone/hall")
            #expect(!bench.control.contains([5, 60]))
            bench.send("halt", "", device: "zone/hall")
            #expect(stops(bench) == 1 && bench.lastResult("zone/hall") == "ok")
            let groups = lab.broker.retained("bridge/attic/groups") ?? ""
            #expect(groups.contains("all/samples") && !groups.contains("zone"))
            #expect(bench.log.count(.warning, "the group accepts only stops") == 1)
        }
    }

    @Test("A member under a reserved former name still belongs to its group")
    func member() {
        withLab { lab in
            var settings = Self.configured("zone/left")
            settings.groups = [.init(name: "wearers", members: ["zone/left"])]
            let bench = lab.bridge(settings)
            bench.goOnline()
            bench.send("level", "60", device: "wearers")
            #expect(bench.control.contains([5, 60]))
        }
    }

    // MARK: Requests and roster

    @Test(
        "rename, restore and the roster reject reserved names and the roots of all families of any bridge",
        arguments: [
            "reply/operator/t", "zone/x", "x/state", "lamp/x", "lamp", "bare/x", "roster/x", "claim/x",
        ])
    func refused(name: String) {
        withLab { lab in
            var bare = SampleFamily()
            bare.name = "bare"
            let bench = lab.bridge(
                .empty(), families: [SampleFamily(), bare], store: Self.joined("left"))
            know(lab, #"[{"name":"lamp","title":"Lamp","source":"file","fault":null,"matches":[]}]"#)
            bench.goOnline()
            bench.request("rename", #"{"device":"left","to":"\#(name)"}"#)
            #expect(bench.lastResponse("rename") == "invalid_value")
            let device: JSON.Value = [
                "name": .string(name), "family": "sample",
                "address": .string(BridgeSettings.sample.description),
            ]
            let backup: JSON.Value = ["backup": ["version": 1, "devices": [device], "settings": [:]]]
            bench.request("restore", backup.description)
            let answer = lab.broker.objects("bridge/attic/response/restore").last
            #expect(answer?["restored"] == [] && answer?["skipped"]?.array?.count == 1, "\(name)")
            lab.broker.send(
                "roster/aabbcca1b2c3",
                #"{"v":1,"name":"\#(name)","family":"sample","by":"x","time":"2026-01-31T12:00:00.000Z"}"#,
                retain: true)
            lab.time.advance(by: .seconds(1))
            #expect(bench.log.count(.error, "roster message is ignored") == 1)
            #expect(bench.availability("left") == "online")
            #expect(!lab.broker.retainedTopics.contains { $0.hasPrefix(name + "/") })
        }
    }

    // MARK: Families

    @Test("A bridge publishes its families at the start and after a reload")
    func published() {
        withLab { lab in
            let bench = lab.bridge(.empty())
            bench.connectBroker()
            func list() -> [JSON.Value]? {
                let text = lab.broker.retained("bridge/attic/families") ?? ""
                return (try? JSON.Value(parsing: Array(text.utf8)))?.array
            }
            #expect(list()?.map { $0["name"] } == ["sample"])
            #expect(list()?.first?["source"] == "built_in" && list()?.first?["fault"] == .null)
            var lamp = SampleFamily()
            lamp.name = "lamp"
            bench.configuration.set(
                ReloadedConfiguration(settings: .empty(), families: [SampleFamily(), lamp]))
            bench.request("reload", "")
            #expect(list()?.map { $0["name"] } == ["sample", "lamp"])
        }
    }

    @Test(
        "Names are kept if another bridge gets a family with this root, and the log and health_check report it"
    )
    func later() {
        withLab { lab in
            var settings = Self.configured("lamp/left")
            settings.groups = [.init(name: "torch", members: ["lamp/left"])]
            let bench = lab.bridge(settings)
            bench.goOnline()
            for bridge in ["hall", "cellar", "den"] {
                know(lab, #"[{"name":"lamp"},{"name":"torch"},{"name":"kitchen"}]"#, of: bridge)
            }
            #expect(
                bench.log.count(.warning, "of another bridge reserves it") == 0,
                "once for all that come together")
            lab.time.advance(by: .seconds(1))
            #expect(bench.log.count(.warning, "of another bridge reserves it") == 2)
            #expect(bench.availability("lamp/left") == "online" && bench.availability(Self.short) == nil)
            bench.send("level", "60", device: "torch")
            #expect(bench.control.contains([5, 60]))
            #expect(problems(bench).count == 2 && problems(bench)[0].hasPrefix("lamp/left: lamp is a family"))
            for bridge in ["hall", "cellar", "den"] { know(lab, "", of: bridge) }
            lab.time.advance(by: .seconds(1))
            #expect(problems(bench) == [])
            know(lab, #"[{"name":"lamp"}]"#)
            lab.time.advance(by: .seconds(1))
            #expect(bench.reload(settings)?["renamed"] == [])
            #expect(bench.availability("lamp/left") == "online")
        }
    }

    private func problems(_ bench: TestBridge) -> [String] {
        bench.request("health_check", "")
        let answer = bench.broker.objects("bridge/attic/response/health_check").last
        return answer?["problems"]?.array?.compactMap(\.string) ?? []
    }

    @Test(
        "A joined device keeps such a name across a restart, and a new device of the roster does not get it")
    func laterJoined() {
        let store = Self.joined("lamp/left")
        for _ in 0..<2 {
            withLab { lab in
                know(lab, #"[{"name":"lamp"}]"#)
                let bench = lab.bridge(.empty(), store: store)
                bench.goOnline()
                lab.time.advance(by: .seconds(1))
                #expect(bench.availability("lamp/left") == "online")
            }
        }
        withLab { lab in
            let bench = lab.bridge(.empty())
            lab.broker.send(
                "roster/aabbcca1b2c3",
                #"{"v":1,"name":"lamp/left","family":"sample","by":"x","time":"2026-01-31T12:00:00.000Z"}"#,
                retain: true)
            bench.connectBroker()
            lab.time.advance(by: .seconds(1))
            know(lab, #"[{"name":"lamp"}]"#)
            bench.hear()
            #expect(bench.availability("lamp/left") == nil && bench.availability("sample") == "online")
        }
    }

    @Test("A cleared or invalid list of families reserves no names")
    func lists() {
        withLab { lab in
            let bench = lab.bridge(.empty(), store: Self.joined("left"))
            bench.goOnline()
            know(lab, #"[{"name":"lamp"}]"#)
            know(lab, #"[{"name":"lamp"}]"#, of: "attic")
            know(lab, "")
            know(lab, "lamp", of: "cellar")
            know(lab, #"[{"name":"left/x"},{"name":7},{"name":"+"},{"name":"bridge"}]"#, of: "cellar")
            bench.request("rename", #"{"device":"left","to":"lamp/x"}"#)
            #expect(bench.lastResponse("rename") == "ok")
        }
    }
}
