import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Logging
import Testing

@Suite("Defaults that a request changes while devices are connected")
struct DefaultsTests {
    private static let (own, joined) = (ReloadLab.addresses[0], ReloadLab.addresses[1])

    /// The settings with one configured device that has its own greeting; another device has joined.
    private static var settings: BridgeSettings {
        var settings = ReloadLab.settings(["own"], join: .permit, greeting: "hello")
        settings.devices[0].ownSettings = ["greeting"]
        return settings
    }

    private static let state = BridgeState(
        devices: [.init(address: joined, family: "sample", name: "sample")])

    private func withDevices(
        _ store: MemoryStore = MemoryStore(DefaultsTests.state), _ body: (TestBridge) throws -> Void
    ) rethrows {
        try withLab { lab in try body(start(lab, store)) }
    }

    private func start(_ lab: Lab, _ store: MemoryStore) -> TestBridge {
        var family = SampleFamily()
        family.changeableSettings = ["greeting"]
        let bench = lab.bridge(Self.settings, families: [family], store: store)
        bench.connectBroker()
        bench.hearAll()
        return bench
    }

    private func ask(_ bench: TestBridge, _ payload: String) -> JSON.Value? {
        bench.request("defaults", payload)
        return bench.broker.objects("bridge/attic/response/defaults").last
    }

    private func greetings(_ bench: TestBridge, _ address: Address) -> [String]? {
        bench.link(address)?.writes(SampleFamily.control).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("A device uses the new default after its next connection, and is not disconnected for it")
    func next() {
        withDevices { bench in
            let answer = ask(bench, #"{"sample":{"greeting":"ciao"}}"#)
            #expect(answer?["status"] == "ok")
            #expect(answer?["sample"] == ["greeting": "ciao"])
            #expect(answer?["devices"] == [])
            #expect(greetings(bench, Self.joined) == ["hello"])
            #expect(bench.link(Self.joined)?.disconnects == 0)
            for address in [Self.own, Self.joined] { bench.link(address)?.lose() }
            bench.hearAll()
            #expect(greetings(bench, Self.joined) == ["ciao"])
            #expect(greetings(bench, Self.own) == ["hello"], "its own setting goes before")
        }
    }

    @Test("Connected devices apply a default immediately if the request asks for it")
    func immediate() {
        withDevices { bench in
            let answer = ask(bench, #"{"sample":{"greeting":"ciao"},"immediate":true}"#)
            #expect(answer?["devices"] == ["own", "sample"])
            #expect(greetings(bench, Self.joined) == ["hello", "ciao"])
            #expect(greetings(bench, Self.own) == ["hello", "hello"])
            #expect(bench.link(Self.joined)?.disconnects == 0)
        }
    }

    @Test("An immediate request without settings of a family changes nothing")
    func unnamed() {
        withDevices { bench in
            let answer = ask(bench, #"{"sample":{},"immediate":true}"#)
            #expect(answer?["status"] == "ok")
            #expect(greetings(bench, Self.joined) == ["hello"])
        }
    }

    @Test("A reload lists the defaults of requests that override the configuration")
    func overridden() {
        withDevices { bench in
            #expect(bench.reload(Self.settings)?["overridden"] == [])
            _ = ask(bench, #"{"sample":{"greeting":"ciao"}}"#)
            #expect(bench.reload(Self.settings)?["overridden"] == ["sample.greeting"])
            #expect(bench.log.count(.notice, "sample.greeting") == 1)
        }
    }

    @Test("A default is kept across restarts and reloads until null removes it")
    func kept() {
        withLab { lab in
            let store = MemoryStore(Self.state)
            var bench = start(lab, store)
            _ = ask(bench, #"{"sample":{"greeting":"ciao"}}"#)
            #expect(store.state.defaults == ["sample": ["greeting": "ciao"]])
            #expect(bench.reload(Self.settings)?["changed"] == [])
            #expect(bench.link(Self.joined)?.disconnects == 0)
            bench.cancel()
            bench.client.lose()
            bench = start(lab, store)
            #expect(greetings(bench, Self.joined) == ["ciao"])
            #expect(ask(bench, "")?["sample"] == ["greeting": "ciao"])
            let answer = ask(bench, #"{"sample":{"greeting":null},"immediate":true}"#)
            #expect(answer?["sample"] == ["greeting": "hello"])
            #expect(greetings(bench, Self.joined) == ["ciao", "hello"])
            #expect(store.state.defaults == [:])
        }
    }

    @Test("Invalid settings are refused in a request and ignored in the kept state")
    func invalid() {
        withDevices { bench in
            #expect(ask(bench, #"{"sample":{"volume":5}}"#)?["code"] == "unknown_field")
            #expect(ask(bench, #"{"sample":{"greeting":5}}"#)?["code"] == "invalid_value")
            #expect(ask(bench, #"{"robot":{}}"#)?["code"] == "unknown_field")
            #expect(bench.store.state.defaults == [:])
        }
        var state = Self.state
        state.defaults = ["sample": ["greeting": 5, "volume": 5], "robot": ["greeting": "ciao"]]
        withDevices(MemoryStore(state)) { bench in
            #expect(greetings(bench, Self.joined) == ["hello"])
        }
    }

    @Test("The request defaults does not exist without a family with changeable settings")
    func none() {
        #expect(!BridgeFeatures.requests([SampleFamily()]).contains { $0.name == "defaults" })
    }
}
