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

@Suite("Times of the announcements to Home Assistant")
struct AnnouncingTests {
    static let device = "homeassistant/device/tactile_bridge_aabbcca1b2c3/config"
    static let bridge = "homeassistant/device/tactile_bridge_bridge_attic/config"

    func settings(
        _ settings: BridgeSettings = .oneDevice(), prefix: String = "homeassistant"
    ) -> BridgeSettings {
        var settings = settings
        settings.homeAssistant = HomeAssistantSettings(prefix: prefix)
        return settings
    }

    /// The discovery topics of the announcements so far, in order.
    func announced(_ bench: TestBridge) -> [String] {
        bench.broker.log.map(\.message.topic).filter { $0.hasSuffix("/config") }
    }

    @Test("The bridge is announced first, and a device once its owner is known; both are retained")
    func order() throws {
        try withLab { lab in
            let bench = lab.bridge(settings())
            bench.client.setProbeFate(.held)
            bench.client.connect()
            #expect(announced(bench) == [Self.bridge])
            bench.client.setProbeFate(.delivered)
            bench.client.releaseProbes()
            // The second announcement of the bridge adds the entities of the groups, whose members are now known.
            #expect(announced(bench) == [Self.bridge, Self.device, Self.bridge])
            let message = try #require(bench.broker.retainedObject(Self.device)?.announcement)
            #expect(message["device"]?["via_device"] == "tactile_bridge_bridge_attic")
            #expect(message["device"]?["name"] == "sample")
            #expect(message["origin"]?["sw_version"] == "1.0")
            #expect(bench.broker.retained(Self.bridge) != nil)
            #expect(bench.store.state.retainedTopics.isSuperset(of: [Self.bridge, Self.device]))
        }
    }

    @Test("An unchanged announcement is repeated only when Home Assistant has started, the bridge first")
    func again() {
        withLab { lab in
            let bench = lab.bridge(settings())
            bench.goOnline()
            let count = announced(bench).count
            bench.link()?.lose()
            bench.hear()
            #expect(announced(bench).count == count)
            bench.broker.clearLog()
            bench.broker.send("homeassistant/status", "offline")
            #expect(announced(bench) == [])
            bench.broker.send("homeassistant/status", "online")
            #expect(announced(bench) == [Self.bridge, Self.device])
        }
    }

    @Test("Device information that arrives after the announcement is announced too")
    func firmware() {
        withLab { lab in
            let bench = lab.bridge(settings())
            bench.connectBroker()
            #expect(bench.broker.retainedObject(Self.device)?.announcement?["device"]?["sw_version"] == nil)
            bench.hear()
            bench.link()?.notify(SampleFamily.status, [9, 1])
            let info = bench.broker.retainedObject("sample/info")
            let said = bench.broker.retainedObject(Self.device)?.announcement?["device"]
            #expect(said?["sw_version"] == (info?["firmware"] == .null ? nil : info?["firmware"]))
        }
    }

    @Test("The announcement of a forgotten device is cleared, and the bridge's announcement stays")
    func forget() {
        withLab { lab in
            let bench = lab.bridge(settings(.empty()))
            bench.connectBroker()
            bench.request("permit_join", "60")
            bench.hear()
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.broker.retained(Self.device) != nil)
            bench.request("forget", "sample")
            #expect(bench.broker.texts(Self.device).last == "")
            #expect(bench.broker.retained(Self.device) == nil)
            #expect(bench.broker.retained(Self.bridge) != nil)
            #expect(!bench.store.state.retainedTopics.contains(Self.device))
            bench.broker.clearLog()
            bench.broker.send("homeassistant/status", "online")
            #expect(announced(bench) == [Self.bridge])
        }
    }

    @Test("If Home Assistant is disabled, the announcements of an earlier run are cleared")
    func disabled() {
        withLab { lab in
            let store = MemoryStore()
            let bench = lab.bridge(settings(), store: store)
            bench.goOnline()
            bench.cancel()
            bench.client.lose()
            let quiet = lab.bridge(.oneDevice(), store: store)
            quiet.goOnline()
            #expect(quiet.broker.retained(Self.device) == nil)
            #expect(quiet.broker.retained(Self.bridge) == nil)
            #expect(!quiet.client.filters.contains { $0.filter.hasPrefix("homeassistant") })
        }
    }

    @Test("All announcements move to a new discovery prefix")
    func prefix() {
        withLab { lab in
            let store = MemoryStore()
            let bench = lab.bridge(settings(), store: store)
            bench.goOnline()
            bench.cancel()
            bench.client.lose()
            let moved = lab.bridge(settings(prefix: "home/ha"), store: store)
            moved.goOnline()
            let topics = moved.broker.retainedTopics.filter { $0.hasSuffix("/config") }
            #expect(
                topics == [
                    "home/ha/device/tactile_bridge_aabbcca1b2c3/config",
                    "home/ha/device/tactile_bridge_bridge_attic/config",
                ])
        }
    }

    @Test("An unconnected device is announced only by the bridge that remains its owner")
    func severalStart() {
        withLab { lab in
            lab.broker.send("bridge/zoo/availability", "online", retain: true)
            let benches = ["attic", "cellar"].map { lab.bridge(settings(.oneDevice($0))) }
            func speakers() -> [String] {
                lab.broker.log.filter { $0.message.topic == Self.device }.map(\.client)
            }
            for bench in benches { bench.client.connect() }
            lab.time.advance(by: .seconds(9))
            #expect(speakers() == [])
            lab.time.advance(by: .seconds(3))
            #expect(speakers() == ["attic"])
            benches[1].hear()
            lab.time.advance(by: .milliseconds(250))
            #expect(speakers() == ["attic", "cellar"])
        }
    }

    @Test(
        "The bridge that gets the connection announces the device, and the other bridge leaves it unchanged")
    func move() {
        withLab { lab in
            let attic = lab.bridge(settings())
            let cellar = lab.bridge(settings(.oneDevice("cellar")))
            attic.goOnline()
            cellar.connectBroker()
            func hub() -> JSON.Value? {
                attic.broker.retainedObject(Self.device)?.announcement?["device"]?["via_device"]
            }
            #expect(hub() == "tactile_bridge_bridge_attic")
            attic.link()?.lose()
            cellar.hear()
            cellar.time.advance(by: .milliseconds(250))
            #expect(hub() == "tactile_bridge_bridge_cellar")
            attic.broker.send("homeassistant/status", "online")
            #expect(hub() == "tactile_bridge_bridge_cellar")
            attic.client.lose()
            attic.client.connect()
            #expect(hub() == "tactile_bridge_bridge_cellar")
            #expect(!attic.store.state.retainedTopics.contains(Self.device))
        }
    }

    @Test("A restarted bridge that removes a device clears nothing of another bridge that has it")
    func restartedElsewhere() {
        withLab { lab in
            let store = MemoryStore()
            var attic = lab.bridge(settings(), store: store)
            attic.goOnline()
            attic.cancel()
            attic.client.lose()
            let cellar = lab.bridge(settings(.oneDevice("cellar")))
            cellar.goOnline()
            cellar.time.advance(by: .seconds(1))
            #expect(store.state.retainedTopics.isSuperset(of: [Self.device, "sample/availability"]))
            attic = lab.bridge(settings(), store: store)
            attic.connectBroker()
            attic.time.advance(by: .seconds(1))
            #expect(!store.state.retainedTopics.contains(Self.device))
            attic.reload(settings(.empty()))
            #expect(cellar.broker.retained(Self.device) != nil)
            #expect(cellar.broker.retained("sample/availability") == "online")
        }
    }

    @Test("A device that yields its name to another device is announced with its new topics")
    func rename() {
        withLab { lab in
            let store = MemoryStore(
                BridgeState(devices: [.init(address: BridgeSettings.sample, family: "sample", name: "sample")]
                ))
            let bench = lab.bridge(settings(.empty()), store: store)
            bench.connectBroker()
            bench.broker.send("bridge/cellar/availability", "online")
            bench.broker.claim("AA:00:00:00:00:01", by: "cellar", isStored: true)
            bench.time.advance(by: .seconds(1))
            let message = bench.broker.retainedObject(Self.device)?.announcement
            #expect(message?["device"]?["name"] == "sample a1b2c3")
            #expect(
                message?["components"]?["level_set_level"]?["command_topic"] == "sample/a1b2c3/level/set")
            #expect(
                message?["components"]?["level_set_level"]?["unique_id"]
                    == "tactile_bridge_aabbcca1b2c3_level_set_level")
        }
    }

    /// The indices in the log of the first message on topics with a prefix, and of the first message that clears one.
    func places(_ bench: TestBridge, _ prefix: String) -> (first: Int?, cleared: Int?) {
        let messages = bench.broker.log.map(\.message)
        return (
            messages.firstIndex { $0.topic.hasPrefix(prefix) },
            messages.firstIndex { $0.topic.hasPrefix(prefix) && $0.payload.isEmpty }
        )
    }

    func mode(_ bench: TestBridge) -> JSON.Value? {
        bench.broker.retainedObject(Self.device)?.announcement?["availability_mode"]
    }

    static let joined = BridgeState(
        devices: [.init(address: BridgeSettings.sample, family: "sample", name: "sample")])

    @Test("last_seen is published immediately, then once a minute, and when the connection is lost")
    func lastSeen() {
        withBridge { bench in
            bench.goOnline()
            let first = bench.broker.texts("sample/last_seen")
            #expect(first.count == 1)
            for _ in 0..<5 {
                bench.time.advance(by: .seconds(10))
                bench.link()?.notify(SampleFamily.status, [1, 1])
            }
            #expect(bench.broker.texts("sample/last_seen") == first)
            bench.time.advance(by: .seconds(10))
            bench.link()?.notify(SampleFamily.status, [1, 1])
            #expect(bench.broker.texts("sample/last_seen").count == 2)
            bench.time.advance(by: .seconds(7))
            bench.link()?.notify(SampleFamily.status, [1, 1])
            bench.time.advance(by: .seconds(3))
            bench.link()?.lose()
            #expect(bench.broker.texts("sample/last_seen").count == 3)
            let times = bench.broker.texts("sample/last_seen").compactMap(TimeStamp.init)
            #expect(times.count == 3 && times[2].milliseconds - times[0].milliseconds == 67_000)
        }
    }
}
