import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Commands to groups")
struct GroupTests {
    private static let belt: Address = "AA:BB:CC:00:00:01"
    private static let robot: Address = "AA:BB:CC:00:00:02"
    private static let third: Address = "AA:BB:CC:00:00:03"

    /// Runs a test with a bridge that has three devices of two families, and groups of them.
    private func withHouse(_ body: (TestBridge) throws -> Void) rethrows {
        var belts = SampleFamily()
        belts.name = "belt"
        belts.missing = ["mute"]
        var robots = SampleFamily()
        robots.name = "robot"
        robots.missing = ["aim"]
        robots.groupFeatures = ["stop", "halt"]
        try withLab { lab in
            let bench = lab.bridge(
                BridgeSettings(
                    id: "attic",
                    devices: [
                        .init(name: "belt", family: "belt", address: Self.belt),
                        .init(name: "robot", family: "robot", address: Self.robot),
                        .init(name: "hall/belt", family: "belt", address: Self.third),
                    ],
                    groups: [
                        .init(name: "both", members: ["belt", "robot"]),
                        .init(name: "wearers", members: ["hall/belt", "belt/a1b2c3"]),
                    ]), families: [belts, robots])
            bench.connectBroker()
            try body(bench)
        }
    }

    private func hear(_ bench: TestBridge, _ addresses: Address...) {
        for address in addresses { bench.hear(address, name: "any") }
    }

    private func codes(_ result: JSON.Value?) -> [String: String] {
        var codes: [String: String] = [:]
        for entry in result?["members"]?.array ?? [] {
            codes[entry["device"]?.string ?? ""] = (entry["code"] ?? entry["status"])?.string
        }
        return codes
    }

    @Test("A command goes to each member that has the feature, and one result covers all members")
    func everyMember() {
        withHouse { bench in
            hear(bench, Self.belt, Self.robot, Self.third)
            bench.broker.send("all/belts/level/set", "60")
            #expect(bench.link(Self.belt)?.writes(SampleFamily.control).last == [5, 60])
            #expect(bench.link(Self.third)?.writes(SampleFamily.control).last == [5, 60])
            #expect(bench.link(Self.robot)?.writes(SampleFamily.control).contains([5, 60]) == false)
            #expect(bench.results("all/belts").count == 1)
            let result = bench.results("all/belts").last
            #expect(result?["status"] == "ok")
            #expect(result?["bridge"] == "attic")
            #expect(codes(result) == ["belt": "ok", "hall/belt": "ok"])
            #expect(bench.results("belt") == [])
        }
    }

    @Test("Members without the feature are skipped, and without any member the answer lists the features")
    func features() {
        withHouse { bench in
            hear(bench, Self.belt, Self.robot)
            bench.broker.send("both/aim/set", #"{"direction":90,"id":1}"#)
            #expect(codes(bench.results("both").last) == ["belt": "ok"])
            #expect(bench.results("both").last?["id"] == 1)
            bench.broker.send("both/sing/set", "la")
            #expect(bench.lastResult("both") == "unknown_feature")
            #expect(bench.results("both").last?["message"]?.string?.contains("aim") == true)
        }
    }

    @Test("A command that a family does not take from a group is refused for its devices only")
    func guarded() {
        withHouse { bench in
            hear(bench, Self.belt, Self.robot)
            bench.broker.send("both/level/set", "60")
            #expect(codes(bench.results("both").last) == ["belt": "ok", "robot": "not_supported"])
            #expect(bench.lastResult("both") == "not_supported")
            #expect(bench.link(Self.robot)?.writes(SampleFamily.control).contains([5, 60]) == false)
            bench.broker.send("both/stop/set", "")
            #expect(codes(bench.results("both").last) == ["belt": "ok", "robot": "ok"])
            #expect(bench.link(Self.robot)?.writes(SampleFamily.motor) == [[0]])
        }
    }

    @Test("An offline member and a member without a device are reported")
    func away() {
        withHouse { bench in
            hear(bench, Self.belt)
            bench.broker.send("all/level/set", "60")
            #expect(
                codes(bench.results("all").last) == [
                    "belt": "ok", "hall/belt": "device_offline", "robot": "not_supported",
                ])
            #expect(bench.results("all").last?["message"] == "2 of 3 members: hall/belt robot")
            #expect(bench.lastResult("all") == "device_offline")
            bench.broker.send("wearers/level/set", "60")
            #expect(
                codes(bench.results("wearers").last) == [
                    "hall/belt": "device_offline", "belt/a1b2c3": "unknown_device",
                ])
        }
    }

    @Test("A member that joins later under its automatic name takes part from then on")
    func joinsLater() {
        withHouse { bench in
            hear(bench, Self.belt, Self.third)
            bench.request("permit_join", "60")
            bench.hear("AA:BB:CC:A1:B2:C3", name: "belt 7")
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.availability("belt/a1b2c3") == "online")
            bench.broker.send("wearers/level/set", "60")
            #expect(codes(bench.results("wearers").last) == ["hall/belt": "ok", "belt/a1b2c3": "ok"])
        }
    }

    @Test("The combined answer goes to the Response Topic, and contains the error of each member")
    func sender() {
        withHouse { bench in
            hear(bench, Self.belt, Self.robot)
            bench.broker.send("both/aim/set", "400", responseTopic: "here", correlation: [7])
            let answers = bench.broker.log.filter { $0.message.topic == "here" }
            #expect(answers.map(\.message.policy) == [.reply(correlation: [7])])
            let answer = bench.broker.objects("here").last
            #expect(answer?["code"] == "out_of_range")
            #expect(answer?["members"]?.array?.first?["message"] == "direction: 0 to 360, got 400")
            #expect(answer?["seq"] == nil)
            #expect(bench.results("both") == [])
        }
    }

    @Test("A latest feature is answered on success only if it has an id")
    func quiet() {
        withHouse { bench in
            hear(bench, Self.belt, Self.third)
            bench.broker.send("all/belts/aim/set", "90")
            #expect(bench.results("all/belts") == [])
            #expect(bench.link(Self.belt)?.writes(SampleFamily.motor) == [[6, 45]])
        }
    }

    @Test("A slow member delays no other member, but the result waits for it")
    func slowMember() {
        withHouse { bench in
            hear(bench, Self.belt, Self.third)
            bench.link(Self.belt)?.setHolding(true)
            bench.broker.send("all/belts/level/set", "60")
            #expect(bench.link(Self.third)?.writes(SampleFamily.control).last == [5, 60])
            #expect(bench.results("all/belts") == [])
            bench.time.advance(by: .milliseconds(40))
            bench.link(Self.belt)?.setHolding(false)
            let members = bench.results("all/belts").last?["members"]?.array
            #expect(members?.map { $0["elapsed_ms"] } == [40, 0])
            #expect(bench.results("all/belts").last?["elapsed_ms"] == 40)
        }
    }

    @Test("all/stop reaches every device regardless of its payload, and no member waits for another")
    func allStop() {
        withHouse { bench in
            hear(bench, Self.belt, Self.robot)
            bench.link(Self.belt)?.setHolding(true)
            bench.broker.send("all/stop/set", "{\"x\":")
            #expect(bench.link(Self.robot)?.writes(SampleFamily.motor) == [[0]])
            #expect(bench.link(Self.belt)?.writes(SampleFamily.motor) == [[0]])
            #expect(bench.results("all") == [])
            bench.link(Self.belt)?.setHolding(false)
            #expect(bench.broker.retainedObject("belt/mode")?["stopped_by"] == "all_stop")
            #expect(bench.lastResult("all") == "ok")
            #expect(
                codes(bench.results("all").last) == [
                    "belt": "ok", "robot": "ok", "hall/belt": "device_offline",
                ])
        }
    }

    @Test("all/stop answers confirmed false for a member whose protocol cannot confirm a stop, and for all")
    func unconfirmed() {
        withLab { lab in
            var (sure, unsure) = (SampleFamily(), SampleFamily())
            (sure.name, unsure.name, unsure.isStopCertain) = ("robot", "belt", false)
            let bench = lab.bridge(
                BridgeSettings(
                    id: "attic",
                    devices: [
                        .init(name: "belt", family: "belt", address: Self.belt),
                        .init(name: "robot", family: "robot", address: Self.robot),
                    ]), families: [unsure, sure])
            bench.connectBroker()
            hear(bench, Self.robot)
            bench.broker.send("all/stop/set", "now")
            #expect(bench.results("all").last?["confirmed"] == nil, "the belt is away")
            hear(bench, Self.belt)
            bench.broker.send("all/stop/set", "now")
            let answer = bench.results("all").last
            #expect(answer?["status"] == "ok" && answer?["confirmed"] == false)
            #expect(answer?["members"]?.array?.map { $0["confirmed"] } == [false, nil])
        }
    }

    @Test("The answer to all/stop equals the example in the reference")
    func example() throws {
        try withLab { lab in
            var belts = SampleFamily()
            belts.name = "belt"
            let bench = lab.bridge(
                BridgeSettings(
                    id: "attic",
                    devices: [
                        .init(name: "belt", family: "belt", address: Self.belt),
                        .init(name: "robot", family: "belt", address: Self.robot),
                    ]), families: [belts])
            bench.connectBroker()
            hear(bench, Self.belt)
            bench.link(Self.belt)?.setHolding(true)
            bench.broker.send("all/stop/set", "now")
            bench.time.advance(by: .milliseconds(12))
            bench.link(Self.belt)?.setHolding(false)
            let report = try #require(GroupFeatures.result.report)
            var sent = try #require(bench.results("all").last?.object)
            sent["time"] = report.example["time"]
            #expect(JSON.Value.object(sent) == report.example)
            guard case .object(let fields) = report.payload else { return }
            _ = try fields.check(sent)
        }
    }

    @Test("A stop that the device refuses or does not execute within two seconds is reported")
    func stopFails() {
        withHouse { bench in
            hear(bench, Self.belt, Self.robot)
            bench.link(Self.belt)?.setHolding(true)
            bench.link(Self.robot)?.fail(SampleFamily.motor, OperationError(.failed, "0x0E"))
            bench.broker.send("all/stop/set", "")
            bench.time.advance(by: .seconds(2))
            #expect(
                codes(bench.results("all").last) == [
                    "belt": "timeout", "robot": "device_error", "hall/belt": "device_offline",
                ])
            #expect(["timeout", "device_error"].contains(bench.lastResult("all") ?? ""))
        }
    }

    @Test("A retained all/stop is obeyed again at each connect")
    func retainedAllStop() {
        withHouse { bench in
            hear(bench, Self.belt)
            bench.broker.send("all/stop/set", "", retain: true)
            bench.broker.send("all/stop/set", "now", retain: true)
            #expect(bench.link(Self.belt)?.writes(SampleFamily.motor) == [[0], [0]])
            bench.client.lose()
            bench.connectBroker()
            // One write is for the lost broker, and one for the retained stop.
            #expect(bench.link(Self.belt)?.writes(SampleFamily.motor) == [[0], [0], [0], [0]])
        }
    }

    @Test("Each of two bridges answers for its own devices")
    func twoBridges() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice("attic"))
            let cellar = lab.bridge(.oneDevice("cellar"))
            attic.connectBroker()
            cellar.connectBroker()
            attic.hear()
            lab.broker.send("all/stop/set", "")
            let results = lab.broker.objects("all/result")
            #expect(Set(results.compactMap { $0["bridge"]?.string }) == ["attic", "cellar"])
            let members = results.map { ($0["bridge"]?.string, $0["members"]?.array?.count) }
            #expect(members.first { $0.0 == "attic" }?.1 == 1)
            #expect(members.first { $0.0 == "cellar" }?.1 == 0)
        }
    }
}
