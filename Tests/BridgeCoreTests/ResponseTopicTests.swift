import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Response Topics that are refused")
struct ResponseTopicTests {
    @Test(
        "Topics of bridges and devices are refused, and other topics are allowed",
        arguments: [
            ("bridge", true), ("bridge/attic/info", true), ("bridge/cellar/request/forget", true),
            ("sample/level", true), ("sample/level/set", true), ("sample", true), ("hall/left", true),
            ("hall/left/anything/at/all", true), ("all/stop/set", true), ("all", true),
            ("hands/result", true),
            ("elsewhere/device/power/set", true), ("elsewhere/connection", true), ("tap/a1b2c3/tapped", true),
            ("homeassistant/device/x/config", true), ("homeassistant", true),
            ("reply/anna/1", false), ("reply/anna", false), ("reply", true), ("reply/", true),
            ("reply//1", true),
            ("replies/anna", false), ("roster/c0ffee00be01", true), ("claim/c0ffee00be01", true),
            ("zone/hall", true), ("hall", false), ("hall/lefty/x", false), ("sampler/level", false),
            ("set", false), ("connection", false), ("answer", false), ("homeassistants/x", false),
            ("bridges/x", false), ("a//b", false), ("/", false),
        ])
    func rule(topic: String, isRefused: Bool) {
        for base in ["", "house/floor"] {
            let rule = ResponseTopics(baseTopic: base)
            let isAnnouncement = topic.hasPrefix("homeassistant/") || topic == "homeassistant"
            let full = base.isEmpty || isAnnouncement ? topic : "\(base)/\(topic)"
            let answer = rule.refuses(full, discoveryPrefix: "homeassistant") {
                (["sample", "hall/left", "hands", "tap"] + NameRules.everyRoot).contains($0)
            }
            #expect(answer == isRefused, "\(full)")
            // Without announcements, the discovery prefix is allowed. So is every topic that is not below the base
            // topic.
            #expect(!rule.refuses("homeassistant/x", discoveryPrefix: nil) { _ in false })
            if !base.isEmpty, !isAnnouncement {
                #expect(!rule.refuses(topic, discoveryPrefix: "homeassistant") { _ in true })
            }
        }
    }

    private func send(_ bench: TestBridge, _ topic: String, _ payload: String, answerTo response: String) {
        bench.broker.send(
            IncomingMessage(
                topic: topic, payload: Array(payload.utf8), responseTopic: response, correlation: [1, 2],
                arrival: bench.time.now))
    }

    @Test("A command with a refused Response Topic is answered on the usual topic, and not executed")
    func command() {
        withBridge { bench in
            bench.goOnline()
            bench.broker.clearLog()
            send(bench, "sample/level/set", #"{"level":60,"id":7}"#, answerTo: "sample/level")
            let result = bench.results().last
            #expect(result?["code"] == "invalid_value" && result?["id"] == 7)
            #expect(result?["message"]?.string?.hasPrefix("Response Topic sample/level: ") == true)
            #expect(!bench.control.contains([5, 60]))
            #expect(bench.broker.texts("sample/level") == [])
            send(bench, "sample/level/set", "60", answerTo: "reply/anna/1")
            #expect(bench.broker.texts("reply/anna/1").count == 1)
        }
    }

    @Test("A Response Topic of more than 512 bytes is refused")
    func long() {
        withBridge { bench in
            bench.goOnline()
            bench.broker.clearLog()
            let base = "reply/anna/"
            for (count, isTaken) in [(512, true), (513, false), (20_000, false)] {
                let topic = base + String(repeating: "x/", count: (count - base.utf8.count) / 2)
                let whole = topic + String(repeating: "x", count: count - topic.utf8.count)
                send(bench, "sample/level/set", "60", answerTo: whole)
                #expect((bench.broker.texts(whole).count == 1) == isTaken, "\(count)")
                #expect((bench.results().last?["code"] == "invalid_value") != isTaken)
            }
            #expect(bench.results().last?["message"]?.string?.contains("at most 512 bytes") == true)
            send(bench, "sample/halt/set", "", answerTo: String(repeating: "x/", count: 10_000))
            #expect(bench.results().last?["status"] == "ok" && bench.motor == [[0]])
        }
    }

    @Test("A stop with a refused Response Topic is obeyed, and answered on the usual topic")
    func stop() {
        withBridge { bench in
            bench.goOnline()
            bench.broker.clearLog()
            send(bench, "sample/halt/set", "", answerTo: "sample/level/set")
            #expect(bench.motor == [[0]])
            #expect(bench.results().last?["status"] == "ok")
            send(bench, "all/stop/set", "", answerTo: "all/stop/set")
            #expect(bench.motor == [[0], [0]] || bench.motor == [[0]])
            #expect(bench.broker.texts("all/result").count == 1)
            #expect(bench.broker.texts("sample/level/set") == [] && bench.broker.texts("all/stop/set") == [])
        }
    }

    @Test("Answers to reserved roots and to roots of families of any bridge go to the usual topic")
    func roots() {
        withBridge { bench in
            bench.goOnline()
            bench.broker.send("bridge/hall/families", #"[{"name":"lamp"}]"#, retain: true)
            bench.broker.clearLog()
            for topic in ["roster/c0ffee00be01", "claim/x", "zone/hall", "reply", "lamp/x/level", "sample/x"]
            {
                send(bench, "bridge/attic/request/devices", "", answerTo: topic)
                #expect(bench.broker.texts(topic) == [], "\(topic)")
            }
            #expect(bench.broker.texts("bridge/attic/response/devices").count == 6)
        }
    }

    @Test("A request or group command with a refused Response Topic is refused too")
    func others() {
        withBridge { bench in
            bench.goOnline()
            bench.broker.clearLog()
            send(bench, "bridge/attic/request/rename", "{}", answerTo: "bridge/attic/availability")
            let response = bench.broker.texts("bridge/attic/response/rename").last ?? ""
            #expect(response.contains("Response Topic bridge/attic/availability"))
            #expect(bench.broker.texts("bridge/attic/availability") == [])
            send(bench, "all/level/set", "60", answerTo: "sample/level/set")
            #expect(bench.broker.texts("all/result").last?.contains("invalid_value") == true)
            #expect(!bench.control.contains([5, 60]))
        }
    }
}
