import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Every command is answered")
struct AnsweredTests {
    private func message(_ bench: TestBridge, _ device: String = "sample") -> String {
        bench.results(device).last?["message"]?.string ?? ""
    }

    @Test(
        "An error suggests similar names, and an example command if the payload has the wrong form",
        arguments: [
            ("levle", "1", "levle: did you mean level? Allowed: level mode aim stop halt reset mute"),
            ("colour", "1", "colour: not known here; allowed: level mode aim stop halt reset mute"),
            ("pressed", "1", "pressed: read-only; allowed: level mode aim stop halt reset mute"),
            ("level", #"{"levl":3}"#, "levl: not known here; did you mean level? Allowed: level"),
            (
                "level", "high",
                "level: a whole number 0...100, got \"high\"; for example: mosquitto_pub -t sample/level/set -m 60"
            ),
            (
                "level", #"{"level":[1]}"#,
                "level: a whole number 0...100, got [1]; for example: mosquitto_pub -t sample/level/set -m 60"
            ),
            (
                "reset", "{}",
                "confirm: needs \"confirm\":true, because it cannot easily be undone; for example: mosquitto_pub -t "
                    + "sample/reset/set -m '{\"confirm\":true}'"
            ),
            ("level", "400", "level: a whole number 0...100, got 400"),
        ])
    func advice(feature: String, payload: String, expected: String) {
        withBridge { bench in
            bench.goOnline()
            bench.send(feature, payload)
            #expect(message(bench) == expected)
        }
    }

    @Test("A word of 60 kB is not compared with names")
    func longWord() {
        #expect(Nearest.word(to: String(repeating: "x", count: 60_000), among: ["level", "mode"]) == nil)
    }

    @Test("A hazardous device answers unknown features too")
    func robot() {
        let address: Address = "AA:BB:CC:00:00:07"
        withLab { lab in
            let settings = BridgeSettings(
                id: "attic", devices: [.init(name: "roller", family: "roller", address: address)],
                families: ["roller": [:]])
            let bench = lab.bridge(settings, families: [RollerFamily()])
            bench.connectBroker()
            for isOnline in [false, true] {
                if isOnline { bench.hear(address, name: "roller") }
                bench.send("drive", "1", device: "roller")
                #expect(bench.lastResult("roller") == "unknown_feature")
                bench.send("rol", "1", device: "roller")
                #expect(message(bench, "roller").hasPrefix("rol: did you mean roll? "))
                #expect(bench.results("roller").count == (isOnline ? 4 : 2))
            }
        }
    }

    @Test("A command without a feature is answered by its device or group, at any depth of the name")
    func bare() {
        let (first, second): (Address, Address) = ("AA:BB:CC:00:00:01", "AA:BB:CC:00:00:02")
        withLab { lab in
            let settings = BridgeSettings(
                id: "attic",
                devices: [
                    .init(name: "sample", family: "sample", address: first),
                    .init(name: "sample/left", family: "sample", address: second),
                ], groups: [.init(name: "both", members: ["sample", "sample/left"])],
                families: ["sample": ["greeting": ""]])
            let bench = lab.bridge(settings)
            bench.connectBroker()
            bench.broker.send("sample/set", "60")
            #expect(
                message(bench)
                    == "sample/set names no feature: send to sample/<feature>/set; allowed: level mode aim stop halt "
                    + "reset mute")
            bench.broker.send("sample/left/set", #"{"brightness":3,"level":60,"id":7}"#)
            #expect(
                message(bench, "sample/left")
                    == "sample/left/set names no feature: did you mean sample/left/level/set? Allowed: level mode aim "
                    + "stop halt reset mute")
            #expect(bench.results("sample/left").last?["feature"] == "set")
            #expect(bench.results("sample/left").last?["id"] == 7)
            #expect(bench.results("sample").count == 1)
            bench.broker.send("both/set", "on")
            #expect(bench.lastResult("both") == "unknown_feature")
            bench.broker.send("all/samples/set", "on")
            #expect(bench.lastResult("all/samples") == "unknown_feature")
            bench.broker.send("elsewhere/set", "on")
            #expect(bench.results("elsewhere") == [])
        }
    }

    @Test("A stop is obeyed on a topic that could also be a device without a feature")
    func stopFirst() {
        withBridge { bench in
            bench.goOnline()
            bench.send("stop", "")
            #expect(bench.lastResult() == "ok" && bench.motor == [[0]])
        }
    }

    // MARK: Several bridges

    /// The clients that answered on a topic.
    private func answerers(_ lab: Lab, _ topic: String) -> [String] {
        lab.broker.log.filter { $0.message.topic == topic }.map(\.client)
    }

    private func withTwo(_ body: (Lab, TestBridge, TestBridge) -> Void) {
        withLab { lab in
            var attic = BridgeSettings.oneDevice("attic")
            attic.groups = [.init(name: "house", members: ["sample", "other"])]
            var cellar = BridgeSettings.empty("cellar")
            cellar.groups = attic.groups
            let benches = (lab.bridge(attic), lab.bridge(cellar))
            benches.0.connectBroker()
            benches.1.connectBroker()
            benches.0.hear()
            lab.time.advance(by: .milliseconds(250))
            body(lab, benches.0, benches.1)
        }
    }

    @Test("A bridge without devices of a group leaves the answer to other bridges, except for `all`")
    func groups() {
        withTwo { lab, _, _ in
            lab.broker.send("house/level/set", "60")
            #expect(answerers(lab, "house/result") == ["attic"])
            lab.broker.send("house/levle/set", "60")
            #expect(answerers(lab, "house/result") == ["attic", "attic"])
            lab.broker.send("all/samples/level/set", "60")
            #expect(answerers(lab, "all/samples/result") == ["attic"])
            lab.broker.send("all/level/set", "60")
            #expect(Set(answerers(lab, "all/result")) == ["attic", "cellar"])
        }
    }

    @Test("A bridge without other bridges reports that it has no device of a group")
    func alone() {
        withLab { lab in
            var settings = BridgeSettings.empty()
            settings.groups = [.init(name: "house", members: ["other"])]
            let bench = lab.bridge(settings)
            bench.connectBroker()
            bench.broker.send("house/level/set", "60")
            #expect(bench.lastResult("house") == "unknown_device")
        }
    }

    @Test("A request to all bridges is answered by each bridge, or by the bridge that has the named device")
    func everyBridge() {
        withTwo { lab, attic, cellar in
            lab.broker.send("bridge/all/request/health_check", #"{"id":1}"#)
            for (bench, name) in [(attic, "attic"), (cellar, "cellar")] {
                let answer = bench.broker.objects("bridge/\(name)/response/health_check").last
                #expect(answer?["bridge"] == .string(name) && answer?["id"] == 1)
            }
            lab.broker.send("bridge/all/request/connect", "sample")
            lab.broker.send("bridge/all/request/connect", "sampel")
            #expect(answerers(lab, "bridge/attic/response/connect").count == 1)
            #expect(answerers(lab, "bridge/cellar/response/connect") == [])
            lab.broker.send("bridge/attic/request/connect", "sampel")
            let answer = attic.broker.objects("bridge/attic/response/connect").last
            #expect(answer?["code"] == "unknown_device" && answer?["bridge"] == nil)
            #expect(answer?["message"] == "sampel: did you mean sample? Allowed: sample")
            lab.broker.send("bridge/all/request/dance", "")
            #expect(attic.lastResponse("dance") == "unknown_feature")
        }
    }

    @Test(
        "The bridge that holds a device answers unknown commands, not the other bridge that knows the device")
    func unknownOfTwo() {
        withLab { lab in
            let (attic, cellar) = (lab.bridge(.oneDevice("attic")), lab.bridge(.oneDevice("cellar")))
            attic.goOnline()
            cellar.connectBroker()
            lab.broker.send("sample/levle/set", "1")
            lab.broker.send("sample/set", "1")
            #expect(answerers(lab, "sample/result") == ["attic", "attic"])
        }
    }
}
