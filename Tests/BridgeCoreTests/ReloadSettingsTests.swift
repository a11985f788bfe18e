import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import Haptics
import HomeAssistant
import HostTesting
import JSON
import Logging
import Messages
import Testing

@Suite("Settings after a reload")
struct ReloadSettingsTests {
    @Test("An invalid configuration changes nothing, and the answer and the log contain the reason")
    func invalid() {
        ReloadLab.withDevices(ReloadLab.settings(["a"])) { bench in
            bench.send("aim", "90", device: "a")
            bench.broker.clearLog()
            bench.configuration.fail("b.yaml:3:7: mqtt.port: found x; allowed: 1...2", "b.yaml:4:1: y: what?")
            bench.request("reload", #"{"id":4}"#)
            let answer = bench.broker.objects("bridge/attic/response/reload").last
            #expect(answer?["code"] == "invalid_value")
            #expect(answer?["id"] == 4)
            #expect(answer?["message"]?.string?.contains("b.yaml:3:7: mqtt.port: found x") == true)
            #expect(answer?["message"]?.string?.contains("b.yaml:4:1: y: what?") == true)
            #expect(bench.log.count(.error, "b.yaml:3:7: mqtt.port: found x") == 1)
            #expect(bench.log.count(.error, "nothing was changed") == 2)
            #expect(bench.broker.log.count == 1)
            #expect(bench.link(ReloadLab.addresses[0])?.writes(SampleFamily.motor).last == [6, 45])
            bench.hangUp()
            #expect(bench.configuration.readCount == 2)
            #expect(bench.log.count(.error, "nothing was changed") == 4)
            #expect(bench.events().isEmpty)
        }
    }

    @Test("Settings that need a restart are listed in the answer, the event and the log, and the topics stay")
    func restart() {
        ReloadLab.withDevices(ReloadLab.settings(["a"])) { bench in
            var after = ReloadLab.settings(["a"])
            (after.id, after.baseTopic) = ("cellar", "house")
            bench.configuration.set(
                ReloadedConfiguration(
                    settings: after, changed: ["log.level"], restartNeeded: ["bridge.id"],
                    warnings: ["mqtt.port: without effect"]))
            bench.hangUp()
            let event = bench.broker.objects("bridge/attic/event").last
            #expect(event?["event"] == "config_reloaded")
            #expect(event?["settings"] == ["log.level"])
            #expect(event?["restart_needed"] == ["bridge.id"])
            #expect(bench.log.count(.warning, "bridge.id") == 1)
            #expect(bench.log.count(.warning, "mqtt.port: without effect") == 1)
            #expect(bench.broker.retainedTopics.allSatisfy { !$0.hasPrefix("house") })
            bench.request("devices", "")
            #expect(bench.lastResponse("devices") == "ok")
        }
    }

    @Test("Groups are added, removed and changed")
    func groups() {
        var before = ReloadLab.settings(["a", "b"])
        before.groups = [.init(name: "old", members: ["a"]), .init(name: "hands", members: ["a"])]
        ReloadLab.withDevices(before) { bench in
            var after = ReloadLab.settings(["a", "b"])
            after.groups = [.init(name: "new", members: ["a", "b"]), .init(name: "hands", members: ["b"])]
            bench.reload(after)
            for group in ["old", "new", "hands"] { bench.broker.send("\(group)/level/set", "9") }
            #expect(bench.broker.objects("old/result").count == 0)
            #expect(bench.broker.objects("new/result").last?["members"]?.array?.count == 2)
            #expect(bench.broker.objects("hands/result").last?["members"]?.array?.first?["device"] == "b")
        }
    }

    @Test(
        "stats is published at the new interval after the last report, and the old interval is not scheduled"
    )
    func interval() {
        ReloadLab.withDevices(ReloadLab.settings([])) { bench in
            func count() -> Int { bench.broker.objects("bridge/attic/stats").count }
            var after = ReloadLab.settings([])
            after.statsInterval = .seconds(2)
            bench.reload(after)
            let before = count()
            bench.time.advance(by: .seconds(20))
            #expect(count() == before + 10)
            #expect(bench.broker.objects("bridge/attic/stats").last?["interval_s"] == 2)
            for seconds in 0..<50 {
                after.statsInterval = .seconds(100 + seconds % 2)
                bench.reload(after)
            }
            #expect(bench.time.callCount < 6)
            let slow = count()
            bench.time.advance(by: .seconds(200))
            #expect((1...2).contains(count() - slow))
        }
    }

    @Test("The patterns are those of the last reload")
    func patterns() {
        ReloadLab.withDevices(ReloadLab.settings(["a"])) { bench in
            var after = ReloadLab.settings(["a"])
            after.patterns.add("knock.yaml") { () throws(HapticsError) in
                AHAPFile(Pattern([Event(time: 0, .transient, intensity: 1, sharpness: 1)]))
            }
            bench.reload(after)
            let names = bench.broker.retainedObject("bridge/attic/patterns")?.array?.compactMap(\.string)
            #expect(names?.contains("knock") == true)
        }
    }

    // MARK: Time of changes

    @Test("Announcements to Home Assistant follow a changed prefix, changed devices and a disabled setting")
    func homeAssistant() {
        func topic(_ prefix: String, _ number: Int) -> String {
            "\(prefix)/device/tactile_bridge_aabbcc00000\(number)/config"
        }
        func announced(_ bench: TestBridge) -> Set<String> {
            bench.broker.retainedTopics.filter { $0.hasSuffix("/config") && !$0.contains("bridge_bridge") }
        }
        var settings = ReloadLab.settings(["a", "b"])
        settings.homeAssistant = HomeAssistantSettings(prefix: "homeassistant")
        ReloadLab.withDevices(settings) { bench in
            #expect(announced(bench) == [topic("homeassistant", 1), topic("homeassistant", 2)])
            settings.devices.removeLast()
            settings.devices[0].appearance.area = "Hall"
            #expect(bench.reload(settings)?["changed"] == [])
            #expect(announced(bench) == [topic("homeassistant", 1)])
            let device = bench.broker.retainedObject(topic("homeassistant", 1))?.announcement?["device"]
            #expect(device?["suggested_area"] == "Hall")
            settings.homeAssistant?.prefix = "home"
            bench.reload(settings)
            #expect(announced(bench) == [topic("home", 1)])
            #expect(bench.broker.retained("home/device/tactile_bridge_bridge_attic/config") != nil)
            #expect(bench.client.filters.map(\.filter).filter { $0.hasSuffix("/status") } == ["home/status"])
            settings.homeAssistant = nil
            bench.reload(settings)
            #expect(bench.broker.retainedTopics.filter { $0.hasSuffix("/config") } == [])
            #expect(bench.store.state.retainedTopics.filter { $0.hasSuffix("/config") } == [])
            #expect(bench.link(ReloadLab.addresses[0])?.disconnects == 0)
        }
    }

    @Test("A reload that is requested during a reload follows it, and all requests are answered")
    func again() {
        ReloadLab.withDevices(ReloadLab.settings(["a"])) { bench in
            bench.link(ReloadLab.addresses[0])?.setHolding(true)
            bench.configuration.set(ReloadedConfiguration(settings: ReloadLab.settings([])))
            bench.request("reload", #"{"id":1}"#)
            #expect(bench.lastResponse("reload") == nil)
            for id in 2...4 { bench.request("reload", #"{"id":\#(id)}"#) }
            bench.hangUp()
            bench.time.advance(by: .seconds(2))
            let answers = bench.broker.objects("bridge/attic/response/reload")
            #expect(answers.compactMap { $0["id"] } == [1, 2, 3, 4])
            #expect(answers.map { $0["removed"] } == [["a"], [], [], []])
            #expect(bench.configuration.readCount == 2)
        }
    }

    @Test("Shutdown does not wait for a reload, and no device stays connected")
    func shutdown() {
        ReloadLab.withDevices(ReloadLab.settings(["a", "b"])) { bench in
            bench.link(ReloadLab.addresses[0])?.setHolding(true)
            bench.configuration.set(ReloadedConfiguration(settings: ReloadLab.settings([nil, "b", "c"])))
            bench.request("reload", "")
            bench.shutDown()
            bench.time.advance(by: .seconds(4))
            #expect(bench.isOver)
            for address in ReloadLab.addresses.prefix(2) { #expect(bench.link(address)?.disconnects == 1) }
            #expect(bench.lastResponse("reload") == "busy")
            #expect(bench.availability("c") == nil)
        }
    }
}
