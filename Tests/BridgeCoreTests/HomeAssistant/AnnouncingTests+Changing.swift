import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HomeAssistant
import HostTesting
import JSON
import Messages
import Testing

// Announcements of a device that is renamed, moves to another host, or leaves.
extension AnnouncingTests {
    @Test("A renamed device is announced under its new name before its old topics are cleared")
    func renameOrder() throws {
        try withLab { lab in
            let bench = lab.bridge(settings(.empty()), store: MemoryStore(Self.joined))
            bench.goOnline()
            bench.broker.clearLog()
            bench.request("rename", #"{"device":"sample","to":"hall/sample"}"#)
            let announced = try #require(places(bench, Self.device).first)
            let cleared = try #require(places(bench, "sample/").cleared)
            #expect(announced < cleared)
            let levels = bench.broker.retainedObject(Self.device)?.announcement?["components"]
            #expect(levels?["level_set_level"]?["state_topic"] == "hall/sample/level")
            // Home Assistant keeps the device available while it reads the new topics.
            #expect(mode(bench) == "latest")
            bench.time.advance(by: .seconds(5))
            #expect(mode(bench) == "all")
            #expect(places(bench, Self.device).cleared == nil)
        }
    }

    @Test("A device that is renamed while offline is announced in the usual mode")
    func renameAway() {
        withLab { lab in
            let bench = lab.bridge(settings(.empty()), store: MemoryStore(Self.joined))
            bench.connectBroker()
            bench.request("rename", #"{"device":"sample","to":"hall/sample"}"#)
            #expect(mode(bench) == "all")
        }
    }

    @Test("A forgotten device is removed from Home Assistant before its topics are cleared")
    func forgetOrder() throws {
        try withLab { lab in
            let bench = lab.bridge(settings(.empty()), store: MemoryStore(Self.joined))
            bench.goOnline()
            bench.broker.clearLog()
            bench.request("forget", "sample")
            let withdrawn = try #require(places(bench, Self.device).cleared)
            let cleared = try #require(places(bench, "sample/").cleared)
            #expect(withdrawn < cleared)
        }
    }

    @Test("Topics that an earlier run left of a device are cleared after its announcement")
    func staleOrder() throws {
        try withLab { lab in
            let store = MemoryStore(BridgeState(retainedTopics: ["a/level", Self.device]))
            let bench = lab.bridge(settings(.empty()), store: store)
            bench.connectBroker()
            let withdrawn = try #require(places(bench, Self.device).cleared)
            let cleared = try #require(places(bench, "a/level").cleared)
            #expect(withdrawn < cleared)
        }
    }

    @Test("A device that changes hosts stays available, even if its announcement changes at the same time")
    func moveMode() {
        withLab { lab in
            let attic = lab.bridge(settings())
            let cellar = lab.bridge(settings(.oneDevice("cellar")))
            attic.goOnline()
            cellar.connectBroker()
            #expect(mode(attic) == "all")
            attic.link()?.lose()
            cellar.hear()
            cellar.time.advance(by: .milliseconds(250))
            #expect(mode(attic) == "latest")
            cellar.link()?.notify(SampleFamily.status, [10, 1])
            #expect(mode(attic) == "latest")
            cellar.time.advance(by: .seconds(5))
            #expect(mode(attic) == "all")
        }
    }

    @Test("A Home Assistant that starts while a device is renamed receives the usual mode")
    func moveAndStart() {
        withLab { lab in
            let bench = lab.bridge(settings(.empty()), store: MemoryStore(Self.joined))
            bench.goOnline()
            bench.request("rename", #"{"device":"sample","to":"hall/sample"}"#)
            bench.broker.send("homeassistant/status", "online")
            #expect(mode(bench) == "all")
        }
    }
}
