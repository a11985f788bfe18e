import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HomeAssistant
import JSON
import Messages
import Testing

@Suite("The states of groups")
struct GroupStateTests {
    private static let topic = "bridge/attic/groups/pair"
    private static let config = "homeassistant/device/tactile_bridge_bridge_attic/config"
    private static let other: Address = "AA:00:00:00:00:01"

    private static func settings(_ bridge: String = "attic") -> BridgeSettings {
        var settings = BridgeSettings.oneDevice(bridge)
        settings.devices.append(.init(name: "other", family: "sample", address: other))
        settings.groups = [.init(name: "pair", members: ["sample", "other", "missing"])]
        settings.homeAssistant = HomeAssistantSettings()
        return settings
    }

    private func state(_ bench: TestBridge, _ topic: String = topic) -> JSON.Value? {
        bench.broker.retainedObject(topic)
    }

    @Test("It counts the members that the bridge has, and those that are online")
    func counts() {
        withLab { lab in
            let bench = lab.bridge(Self.settings())
            bench.connectBroker()
            bench.hear()
            bench.time.advance(by: .seconds(2))
            let expected: JSON.Value = [
                "members": 2, "online": 1, "lowest_battery": nil, "playing": 0, "stopped": 0,
            ]
            #expect(state(bench) == expected)
            #expect(state(bench, "bridge/attic/groups/all") == expected)
            #expect(state(bench, "bridge/attic/groups/all/samples") == expected)
            bench.link()?.lose("out of reach")
            bench.time.advance(by: .seconds(2))
            #expect(state(bench)?["online"] == 0 && state(bench)?["members"] == 2)
        }
    }

    @Test("The states of all bridges add up: a device counts only on the bridge that has it")
    func sums() {
        withLab { lab in
            let attic = lab.bridge(Self.settings("attic"))
            let cellar = lab.bridge(Self.settings("cellar"))
            attic.connectBroker()
            cellar.connectBroker()
            attic.hear()
            cellar.hear(Self.other)
            lab.time.advance(by: .seconds(3))
            for bench in [attic, cellar] {
                let topics = ["bridge/attic/groups/pair", "bridge/cellar/groups/pair"]
                #expect(topics.map { state(bench, $0)?["online"] } == [1, 1])
                #expect(topics.reduce(0) { $0 + (state(bench, $1)?["members"]?.integer ?? 0) } == 2)
            }
        }
    }

    @Test("An emergency stop of a member counts, and its release")
    func stopped() {
        withLab { lab in
            let address: Address = "AA:BB:CC:00:00:05"
            let bench = lab.bridge(
                BridgeSettings(
                    id: "attic", devices: [.init(name: "press", family: "press", address: address)],
                    families: ["press": [:]]), families: [LatchFamily()])
            bench.connectBroker()
            bench.hear(address, name: "press")
            bench.letStartPass()
            #expect(state(bench, "bridge/attic/groups/all")?["stopped"] == 0)
            bench.send("emergency_stop", "", device: "press")
            bench.time.advance(by: .seconds(2))
            #expect(state(bench, "bridge/attic/groups/all")?["stopped"] == 1)
            bench.send("release", "", device: "press")
            bench.time.advance(by: .seconds(2))
            #expect(state(bench, "bridge/attic/groups/all")?["stopped"] == 0)
        }
    }

    @Test("It is published at most once a second, and the last change is never lost")
    func pace() {
        withLab { lab in
            let bench = lab.bridge(Self.settings())
            bench.connectBroker()
            bench.time.advance(by: .seconds(5))
            bench.broker.clearLog()
            for _ in 0..<10 {
                bench.hear()
                bench.time.advance(by: .milliseconds(20))
                bench.link()?.lose("out of reach")
                bench.time.advance(by: .milliseconds(20))
            }
            bench.time.advance(by: .seconds(2))
            #expect((1...4).contains(bench.broker.objects(Self.topic).count))
            #expect(state(bench)?["online"] == .integer(bench.availability() == "online" ? 1 : 0))
        }
    }

    @Test("A bridge that starts, or connects to the broker again, reports no fewer members in between")
    func reconnects() {
        withLab { lab in
            let bench = lab.bridge(Self.settings())
            bench.goOnline()
            bench.time.advance(by: .seconds(3))
            let first = bench.broker.objects(Self.topic)
            #expect(!first.isEmpty && first.allSatisfy { $0["members"] == 2 })
            bench.broker.clearLog()
            bench.client.lose()
            bench.time.advance(by: .seconds(3))
            bench.connectBroker()
            bench.time.advance(by: .seconds(5))
            let states = bench.broker.objects(Self.topic)
            #expect(!states.isEmpty && states.allSatisfy { $0["members"] == 2 && $0["online"] == 1 })
        }
    }

    @Test("While a bridge restarts, the states of groups of the roster stay, and their entities too")
    func restarts() {
        withLab { lab in
            lab.broker.send(
                "roster/groups",
                #"{"v":1,"groups":{"wearers":["sample"]},"by":"x","time":"2026-01-31T12:00:00.000Z"}"#,
                retain: true)
            let store = MemoryStore()
            var settings = Self.settings()
            settings.join = .permit
            let topic = "bridge/attic/groups/wearers"
            for run in 1...2 {
                lab.broker.clearLog()
                let bench = lab.bridge(settings, store: store)
                bench.connectBroker()
                bench.time.advance(by: .seconds(10))
                #expect(bench.broker.retainedObject(topic)?["members"] == 1)
                if run == 2 {
                    let known = bench.broker.objects(Self.config).map {
                        $0["cmps"]?["groups--wearers_online"]?["uniq_id"]
                    }
                    #expect(!known.isEmpty && known.allSatisfy { $0 != nil })
                }
                bench.shutDown()
                bench.time.advance(by: .seconds(3))
                #expect(!bench.broker.texts(topic).contains(""))
            }
        }
    }

    @Test("With 300 devices in 30 groups, a device changes only the states of its own groups")
    func many() {
        func address(_ number: Int) -> Address { Address(number: 0x00C0_FFEE_0000 + UInt64(number)) }
        withLab { lab in
            var settings = BridgeSettings(
                id: "attic",
                devices: (0..<300).map { .init(name: "d\($0)", family: "sample", address: address($0)) },
                groups: (0..<30).map { group in
                    .init(name: "g\(group)", members: (0..<10).map { "d\(10 * group + $0)" })
                }, families: ["sample": [:]], version: "1.0")
            settings.maxDevices = 300
            let bench = lab.bridge(settings)
            bench.connectBroker()
            lab.executor.perform { for number in 0..<300 { bench.hear(address(number)) } }
            bench.time.advance(by: .seconds(10))
            #expect(state(bench, "bridge/attic/groups/all")?["online"] == 300)
            #expect(state(bench, "bridge/attic/groups/g29")?["online"] == 10)
            bench.broker.clearLog()
            bench.link(address(7))?.lose("out of reach")
            bench.time.advance(by: .seconds(2))
            let topics = bench.broker.log.map(\.message.topic).filter { $0.contains("/groups/") }
            #expect(topics.sorted() == ["all", "all/samples", "g0"].map { "bridge/attic/groups/\($0)" })
        }
    }

    @Test("It ends with the last device of the group, and Home Assistant removes its entities")
    func ends() {
        withLab { lab in
            let bench = lab.bridge(Self.settings())
            bench.connectBroker()
            bench.time.advance(by: .seconds(2))
            func component(_ id: String) -> JSON.Value? {
                state(bench, Self.config)?["cmps"]?["groups--\(id)"]
            }
            #expect(component("pair_online")?["uniq_id"] != nil)
            var settings = Self.settings()
            settings.groups = []
            bench.reload(settings)
            bench.time.advance(by: .seconds(2))
            #expect(bench.broker.retained(Self.topic) == nil)
            #expect(!bench.store.state.retainedTopics.contains(Self.topic))
            #expect(component("pair_online")?.object?.members.count == 1, "only its platform remains")
            #expect(component("all_online")?.object?.members.count ?? 0 > 1)
        }
    }

    @Test("The state of a group that was removed while the bridge was down is cleared at the next start")
    func stale() {
        withLab { lab in
            let store = MemoryStore()
            let first = lab.bridge(Self.settings(), store: store)
            first.connectBroker()
            first.time.advance(by: .seconds(3))
            #expect(state(first) != nil)
            first.shutDown()
            first.time.advance(by: .seconds(3))
            var settings = Self.settings()
            settings.groups = []
            let second = lab.bridge(settings, store: store)
            second.connectBroker()
            second.time.advance(by: .seconds(10))
            #expect(second.broker.retained(Self.topic) == nil)
            #expect(state(second, "bridge/attic/groups/all") != nil)
        }
    }
}
