import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Messages
import Testing

@Suite("Bridges and the roster of their fleet")
struct RosterBridgeTests {
    private static let first: Address = "C0:FF:EE:00:BE:01"
    private static let second: Address = "C0:FF:EE:00:BE:02"
    private static let topics = [first: "roster/c0ffee00be01", second: "roster/c0ffee00be02"]

    private static func entry(_ name: String, _ more: String = "", by: String = "fleet") -> String {
        #"{"v":1,"name":"\#(name)","family":"sample",\#(more)"by":"\#(by)","time":"2026-01-31T12:00:00.000Z"}"#
    }

    private func roster(_ lab: Lab, _ address: Address) -> JSON.Value? {
        Self.topics[address].flatMap { lab.broker.retainedObject($0) }
    }

    private func send(_ lab: Lab, _ address: Address, _ payload: String) {
        lab.broker.send(Self.topics[address] ?? "", payload, retain: true)
        lab.executor.drain()
    }

    /// Starts a bridge that admits every device in range.
    private func open(_ lab: Lab, _ id: String, store: MemoryStore = MemoryStore()) -> TestBridge {
        let bench = lab.bridge(.empty(id, join: .always), store: store)
        bench.connectBroker()
        return bench
    }

    // MARK: Names

    @Test("Two devices of one family keep their names on every bridge")
    func names() {
        withLab { lab in
            let (attic, cellar) = (open(lab, "attic"), open(lab, "cellar"))
            attic.hear(Self.first)
            lab.time.advance(by: .seconds(1))
            #expect(roster(lab, Self.first)?["name"] == "sample")
            #expect(roster(lab, Self.first)?["by"] == "attic")
            cellar.hear(Self.second)
            lab.time.advance(by: .seconds(1))
            #expect(roster(lab, Self.second)?["name"] == "sample/00be02")
            for bench in [attic, cellar] {
                for address in [Self.first, Self.second] { bench.link(address)?.lose() }
            }
            // The devices change hosts.
            attic.hear(Self.second)
            cellar.hear(Self.first)
            lab.time.advance(by: .milliseconds(250))
            #expect(lab.broker.retainedObject("sample/connection")?["bridge"] == "cellar")
            #expect(lab.broker.retainedObject("sample/connection")?["address"] == "C0:FF:EE:00:BE:01")
            #expect(lab.broker.retainedObject("sample/00be02/connection")?["bridge"] == "attic")
            lab.broker.send("sample/00be02/level/set", "5")
            #expect(attic.link(Self.second)?.writes(SampleFamily.control).last == [5, 5])
        }
    }

    @Test("A device of the fleet in range is added with its name and settings, and no other device may join")
    func takenUp() {
        withLab { lab in
            let bench = lab.bridge(.empty())
            bench.connectBroker()
            #expect(bench.radio.discoveries == 0)
            send(lab, Self.first, Self.entry("hall/left", #""settings":{"greeting":"hi"},"#))
            #expect(bench.radio.discoveries == 1)
            #expect(bench.connection("hall/left") == nil)
            bench.hear(Self.first)
            #expect(bench.availability("hall/left") == "online")
            #expect(bench.link(Self.first)?.writes(SampleFamily.control).first == Array("hi".utf8))
            #expect(bench.events() == ["device_joined"])
            #expect(bench.store.state.devices.map(\.name) == ["hall/left"])
            #expect(bench.store.state.devices.first?.settings == ["greeting": "hi"])
            // An entry of another bridge is left unchanged.
            #expect(roster(lab, Self.first)?["by"] == "fleet")
        }
    }

    @Test("After a restart without a broker, such a device keeps its name and settings")
    func restart() {
        let store = MemoryStore()
        withLab { lab in
            let bench = lab.bridge(.empty(), store: store)
            bench.connectBroker()
            send(lab, Self.first, Self.entry("hall/left", #""settings":{"greeting":"hi"},"#))
            bench.hear(Self.first)
            bench.shutDown()
        }
        withLab { lab in
            let bench = lab.bridge(.empty(), store: store)
            bench.hear(Self.first)
            #expect(bench.link(Self.first)?.writes(SampleFamily.control).first == Array("hi".utf8))
        }
    }

    @Test("A new name and new settings in the roster take effect on the bridge that has the device")
    func changes() {
        withLab { lab in
            let bench = open(lab, "attic")
            bench.hear(Self.first)
            send(lab, Self.first, Self.entry("hall"))
            #expect(bench.availability("hall") == "online" && bench.availability() == nil)
            #expect(bench.radio.links(Self.first).count == 1)
            send(lab, Self.first, Self.entry("hall", #""settings":{"greeting":"hi"},"#))
            #expect(bench.link(Self.first)?.disconnects == 1)
            bench.hear(Self.first)
            #expect(bench.link(Self.first)?.writes(SampleFamily.control).first == Array("hi".utf8))
            #expect(bench.availability("hall") == "online")
        }
    }

    @Test("rename and forget on one bridge take effect on all bridges, and other data in the roster is kept")
    func renamed() {
        withLab { lab in
            let (attic, cellar) = (open(lab, "attic"), open(lab, "cellar"))
            attic.hear(Self.first)
            lab.time.advance(by: .milliseconds(250))
            attic.link(Self.first)?.lose()
            cellar.hear(Self.first)
            lab.time.advance(by: .milliseconds(250))
            send(lab, Self.first, Self.entry("sample", #""preferred":["cellar"],"#))
            attic.request("rename", #"{"device":"sample","to":"hall"}"#)
            #expect(roster(lab, Self.first)?["name"] == "hall")
            #expect(roster(lab, Self.first)?["preferred"] == ["cellar"])
            #expect(attic.connection("hall")?["bridge"] == "cellar")
            #expect(attic.availability("hall") == "online")
            #expect(attic.availability() == nil)

            attic.request("forget", "hall")
            #expect(attic.lastResponse("forget") == "ok")
            #expect(roster(lab, Self.first) == nil)
            #expect(cellar.link(Self.first)?.disconnects == 1)
            #expect(cellar.store.state.devices.isEmpty)
            #expect(attic.availability("hall") == nil)
            #expect(lab.broker.retainedTopics.contains { $0.hasPrefix("hall/") } == false)
        }
    }

    @Test("A name in the roster cannot be given to another device")
    func taken() {
        withLab { lab in
            let bench = open(lab, "attic")
            bench.hear(Self.first)
            send(lab, Self.second, Self.entry("hall"))
            bench.request("rename", #"{"device":"sample","to":"hall"}"#)
            #expect(bench.lastResponse("rename") == "invalid_value")
        }
    }

    // MARK: Precedence

    @Test("A device of the bridge's own configuration ignores the roster, and is not written to it")
    func configured() {
        withLab { lab in
            var settings = BridgeSettings.oneDevice()
            settings.devices[0].address = Self.first
            let bench = lab.bridge(settings)
            bench.connectBroker()
            bench.hear(Self.first)
            #expect(roster(lab, Self.first) == nil)
            send(lab, Self.first, Self.entry("hall", #""settings":{"greeting":"hi"},"#))
            #expect(bench.availability() == "online")
            #expect(bench.radio.links(Self.first).count == 1)
            // A device of the fleet does not take its name either.
            send(lab, Self.second, Self.entry("sample"))
            bench.hear(Self.second)
            #expect(bench.availability("sample/00be02") == "online")
        }
    }

    @Test("With the policy configured, the roster is neither read nor written")
    func unused() {
        withLab { lab in
            let bench = lab.bridge(.oneDevice(join: .configured))
            bench.goOnline()
            #expect(!bench.client.filters.contains { $0.filter == "roster/+" })
            send(lab, Self.first, Self.entry("hall"))
            bench.hear(Self.first)
            #expect(bench.availability("hall") == nil)
        }
    }

    @Test("An invalid entry changes nothing, is logged, and is not overwritten")
    func refused() {
        withLab { lab in
            let bench = open(lab, "attic")
            bench.hear(Self.first)
            send(lab, Self.first, #"{"v":1,"name":"hall"}"#)
            #expect(bench.availability() == "online")
            #expect(
                bench.log.all.contains("roster/c0ffee00be01") && bench.log.all.contains("family: missing"))
            send(lab, Self.second, Self.entry("x"))
            #expect(roster(lab, Self.first)?["family"] == nil)
            lab.broker.send("roster/nonsense", "{}")
            #expect(bench.log.all.contains("nonsense is not an address"))
        }
    }

    @Test("Of two devices that got the same name at the same time, the later device is renamed")
    func bothAtOnce() {
        withLab { lab in
            let attic = lab.bridge(.empty("attic", join: .always))
            let cellar = lab.bridge(.empty("cellar", join: .always))
            attic.hear(Self.first)
            lab.time.advance(by: .seconds(1))
            cellar.hear(Self.second)
            attic.connectBroker()
            cellar.connectBroker()
            lab.time.advance(by: .seconds(1))
            let names = [Self.first, Self.second].map { roster(lab, $0)?["name"]?.string }
            #expect(Set(names) == ["sample", "sample/00be02"])
            #expect(lab.broker.retained("sample/availability") == "online")
            #expect(lab.broker.retained("sample/00be02/availability") == "online")
        }
    }

    // MARK: Broker

    @Test("A bridge without access to the roster works without it, and is healthy")
    func forbidden() {
        withLab { lab in
            let bench = lab.bridge(.empty(join: .always))
            bench.client.refuseSubscription("roster/+")
            bench.connectBroker()
            bench.hear(Self.first)
            #expect(bench.availability() == "online")
            #expect(roster(lab, Self.first) == nil)
            bench.request("health_check", "")
            #expect(lab.broker.objects("bridge/attic/response/health_check").last?["problems"] == [])
            // The bridge has access from now on.
            bench.client.grantSubscription("roster/+")
            lab.time.advance(by: .seconds(2))
            #expect(roster(lab, Self.first)?["name"] == "sample")
        }
    }

    @Test(
        "Devices that joined earlier are written to the roster, also after the broker lost its retained messages"
    )
    func upgraded() {
        let store = MemoryStore(
            BridgeState(devices: [BridgeState.Device(address: Self.first, family: "sample", name: "hall")]))
        withLab { lab in
            let bench = open(lab, "attic", store: store)
            #expect(roster(lab, Self.first)?["name"] == "hall")
            bench.client.lose()
            lab.broker.send("roster/c0ffee00be01", "", retain: true)
            bench.connectBroker()
            #expect(roster(lab, Self.first)?["name"] == "hall")
            #expect(bench.connection("hall") != nil)
        }
    }

    @Test("Entries that others wrote while the broker was disconnected are not overwritten with older ones")
    func away() {
        withLab { lab in
            let bench = open(lab, "attic")
            bench.hear(Self.first)
            bench.client.lose()
            send(lab, Self.first, Self.entry("hall"))
            bench.connectBroker()
            #expect(roster(lab, Self.first)?["name"] == "hall")
            #expect(bench.availability("hall") == "online")
        }
    }

    // MARK: Groups

    @Test("Groups of the fleet take commands, and a group of the configuration keeps its members")
    func groups() {
        withLab { lab in
            var settings = BridgeSettings.empty(join: .always)
            settings.groups = [.init(name: "own", members: ["sample"])]
            let bench = lab.bridge(settings)
            bench.connectBroker()
            bench.hear(Self.first)
            lab.broker.send(
                "roster/groups",
                #"{"v":1,"groups":{"wearers":["sample"],"own":["other"]},"by":"fleet","#
                    + #""time":"2026-01-31T12:00:00Z"}"#,
                retain: true)
            lab.executor.drain()
            lab.broker.send("wearers/level/set", "7")
            #expect(bench.link(Self.first)?.writes(SampleFamily.control).last == [5, 7])
            lab.broker.send("own/level/set", "8")
            #expect(bench.link(Self.first)?.writes(SampleFamily.control).last == [5, 8])
            lab.broker.send("roster/groups", "", retain: true)
            lab.executor.drain()
            #expect(!bench.client.filters.contains { $0.filter == "wearers/+/set" })
        }
    }
}
