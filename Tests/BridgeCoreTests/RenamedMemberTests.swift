import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Groups with renamed members")
struct RenamedMemberTests {
    private static let left: Address = "AA:BB:CC:00:00:01"
    private static let right: Address = "AA:BB:CC:00:00:02"
    private static let third: Address = "AA:BB:CC:00:00:03"

    /// Runs a test with a bridge that has two joined devices and a group of them.
    private func withPair(
        members: [String] = ["left", "right"], _ body: (Lab, BridgeSettings, TestBridge) throws -> Void
    ) rethrows {
        try withLab { lab in
            let devices = [
                BridgeState.Device(address: Self.left, family: "sample", name: "left"),
                BridgeState.Device(address: Self.right, family: "sample", name: "right"),
            ]
            var settings = BridgeSettings.empty()
            settings.groups = [.init(name: "pair", members: members)]
            let bench = lab.bridge(settings, store: MemoryStore(BridgeState(devices: devices)))
            bench.connectBroker()
            bench.hear(Self.left)
            bench.hear(Self.right)
            try body(lab, settings, bench)
        }
    }

    private func rename(_ bench: TestBridge, _ name: String, _ to: String) {
        bench.request("rename", #"{"device":"\#(name)","to":"\#(to)"}"#)
    }

    /// Returns the code or the status of each member in the group's last result.
    private func codes(_ bench: TestBridge) -> [String: String] {
        var codes: [String: String] = [:]
        for entry in bench.results("pair").last?["members"]?.array ?? [] {
            codes[entry["device"]?.string ?? ""] = (entry["code"] ?? entry["status"])?.string
        }
        return codes
    }

    private func levels(_ bench: TestBridge, _ address: Address) -> Int {
        bench.link(address)?.writes(SampleFamily.control).count { $0 == [5, 60] } ?? 0
    }

    private func stops(_ bench: TestBridge, _ address: Address) -> Int {
        bench.link(address)?.writes(SampleFamily.motor).count { $0 == [0] } ?? 0
    }

    @Test("A renamed device stays a member, and is listed and answers under its new name")
    func stays() {
        withPair { _, _, bench in
            rename(bench, "left", "hall/lamp")
            bench.broker.send("pair/level/set", "60")
            #expect(levels(bench, Self.left) == 1 && levels(bench, Self.right) == 1)
            #expect(codes(bench) == ["hall/lamp": "ok", "right": "ok"])
            bench.time.advance(by: .seconds(1))
            let groups = bench.broker.retained("bridge/attic/groups") ?? ""
            #expect(groups.contains(#"{"group":"pair","members":["hall/lamp","right"]}"#), "\(groups)")
        }
    }

    @Test("A device stays a member after another rename and a restart")
    func restarted() {
        withPair { lab, settings, bench in
            rename(bench, "left", "hall/lamp")
            rename(bench, "hall/lamp", "roof")
            bench.cancel()
            let next = lab.bridge(settings, store: bench.store)
            next.connectBroker()
            next.hear(Self.left)
            next.broker.send("pair/level/set", "60")
            #expect(levels(next, Self.left) == 1)
            #expect(codes(next)["roof"] == "ok")
        }
    }

    @Test("A device that the group contains under its old and its new name gets a command once")
    func once() {
        withPair(members: ["left", "lamp"]) { _, _, bench in
            rename(bench, "left", "lamp")
            bench.broker.send("pair/level/set", "60")
            #expect(levels(bench, Self.left) == 1)
            #expect(codes(bench) == ["lamp": "ok"])
        }
    }

    @Test("The device that has the name is the member, and a stop also reaches the device that had the name")
    func replaced() {
        withPair { _, _, bench in
            rename(bench, "left", "lamp")
            rename(bench, "right", "left")
            bench.broker.send("pair/level/set", "60")
            #expect(levels(bench, Self.left) == 0 && levels(bench, Self.right) == 1)
            #expect(codes(bench) == ["left": "ok"])
            bench.broker.send("pair/halt/set", "")
            #expect(stops(bench, Self.left) == 1 && stops(bench, Self.right) == 1)
            #expect(codes(bench) == ["left": "ok", "lamp": "ok"])
        }
    }

    @Test(
        "Of several devices with a former name, none is a member except for stops, and the answer lists them")
    func ambiguous() {
        withPair(members: ["left", "spare"]) { _, _, bench in
            rename(bench, "left", "a")
            rename(bench, "right", "left")
            rename(bench, "left", "b")
            rename(bench, "a", "spare")
            bench.broker.send("pair/level/set", "60")
            #expect(levels(bench, Self.left) == 1 && levels(bench, Self.right) == 0)
            #expect(codes(bench) == ["left": "unknown_device", "spare": "ok"])
            let entry = bench.results("pair").last?["members"]?.array?.first { $0["device"] == "left" }
            let text = entry?["message"]?.string ?? ""
            #expect(text.contains("allowed in the group: the name of one of them: b spare"), "\(text)")
            bench.broker.send("pair/halt/set", "")
            #expect(stops(bench, Self.left) == 1 && stops(bench, Self.right) == 1)
        }
    }

    @Test("A forgotten device is no longer a member")
    func forgotten() {
        withPair { _, _, bench in
            rename(bench, "left", "lamp")
            bench.request("forget", "lamp")
            bench.broker.send("pair/level/set", "60")
            #expect(codes(bench) == ["left": "unknown_device", "right": "ok"])
        }
    }
}
