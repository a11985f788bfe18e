import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Device names and feature names")
struct NameRulesTests {
    /// A family with the feature `level`, and a family without it.
    private static var families: [any DeviceFamily] {
        var bare = SampleFamily()
        bare.name = "bare"
        bare.missing = ["level"]
        return [SampleFamily(), bare]
    }

    @Test(
        "A last level is refused only below a device whose family has a feature with that name",
        arguments: [
            ("kitchen/level", [:], true), ("kitchen/level", ["kitchen": "sample"], false),
            ("kitchen/level", ["kitchen": "bare"], true), ("kitchen/mode", ["kitchen": "bare"], false),
            ("kitchen/level", ["hall": "sample"], true), ("level", ["kitchen": "sample"], true),
            ("kitchen/left/level", ["kitchen": "sample"], true),
            ("kitchen/left/level", ["kitchen/left": "sample"], false),
            ("kitchen/lamp", ["kitchen": "sample"], true), ("kitchen/level", ["kitchen": "toaster"], true),
            // These levels follow the name of every device, also of devices of other bridges.
            ("kitchen/connection", [:], false), ("kitchen/set", [:], false),
        ] as [(String, [String: String], Bool)])
    func below(name: String, devices: [String: String], isTaken: Bool) {
        let rules = NameRules(families: Self.families, reserved: [])
        let complaint = rules.complaint(device: name, family: "bare", groups: [], devices: devices)
        #expect((complaint == nil) == isTaken, "\(complaint ?? "no complaint")")
    }

    @Test(
        "Reserved roots, reserved last levels and roots of other families are refused for devices and groups",
        arguments: [
            ("reply", false), ("reply/anna/x", false), ("replys/x", true), ("zone/x", false), ("zone", false),
            ("zones", true), ("kitchen/action", false), ("action", false), ("kitchen/state", false),
            ("state/kitchen", true), ("bare", true), ("bare/x", true), ("sample", false), ("sample/x", false),
            ("samples/x", true), ("kitchen/sample", true), ("lamp", false), ("lamp/x", false),
            ("bridge/x", false), ("all", false), ("roster/x", false), ("claim/x", false),
        ])
    func reserved(name: String, isTaken: Bool) {
        let rules = NameRules(families: Self.families, reserved: [], foreign: ["lamp": "hall"])
        let complaint = rules.complaint(device: name, family: "bare", groups: [], devices: [:])
        #expect((complaint == nil) == isTaken, "\(complaint ?? "no complaint")")
        // A family that is unknown here still has its own root.
        #expect(rules.complaint(device: "toaster/x", family: "toaster", groups: [], devices: [:]) == nil)
        let isGroup = isTaken && !name.hasPrefix("bare")
        #expect((rules.complaint(group: name) == nil) == isGroup, "\(name)")
        if name.hasPrefix("lamp") { #expect(complaint?.contains("the bridge hall") == true) }
    }

    @Test(
        "A name is refused above a device whose last level is a feature of the renamed device's family",
        arguments: [("sample", false), ("bare", true)])
    func above(family: String, isTaken: Bool) {
        let rules = NameRules(families: Self.families, reserved: [])
        let complaint = rules.complaint(
            device: "kitchen", family: family, groups: [], devices: ["kitchen/level": "bare"])
        #expect((complaint == nil) == isTaken)
    }

    @Test("An automatic name is never above a device whose last level is a feature of the family")
    func automatic() {
        var names = DeviceNames(reserved: [])
        let isGiven = names.assign("sample/level", to: "AA:BB:CC:00:00:01")
        #expect(isGiven)
        let isGivenAbove = names.assign("sample", to: "AA:BB:CC:00:00:02", of: SampleFamily())
        #expect(!isGivenAbove)
        let name = names.assign(SampleFamily(), "AA:BB:CC:00:00:02")
        #expect(name == "sample/000002")
        var bare = SampleFamily()
        bare.missing = ["level"]
        let other = names.assign(bare, "AA:BB:CC:00:00:03")
        #expect(other == "sample")
    }

    @Test("A device can be renamed below another device, but not to the name of one of its features")
    func rename() {
        withLab { lab in
            let bench = lab.bridge(.empty(join: .always), families: Self.families)
            bench.connectBroker()
            bench.hear("AA:BB:CC:00:00:01")
            bench.hear("AA:BB:CC:00:00:02", name: "bare device")
            bench.time.advance(by: .milliseconds(500))
            bench.request("rename", #"{"device":"bare","to":"sample/level"}"#)
            #expect(bench.lastResponse("rename") == "invalid_value")
            bench.request("rename", #"{"device":"bare","to":"kitchen/level"}"#)
            #expect(bench.lastResponse("rename") == "ok")
            #expect(bench.availability("kitchen/level") == "online")
            bench.request("rename", #"{"device":"sample","to":"kitchen"}"#)
            #expect(bench.lastResponse("rename") == "invalid_value")
            bench.request("rename", #"{"device":"kitchen/level","to":"bare/other"}"#)
            #expect(bench.lastResponse("rename") == "ok")
            bench.send("mode", "fast", device: "bare/other")
            #expect(bench.link("AA:BB:CC:00:00:02")?.writes(SampleFamily.control).count == 1)
        }
    }
}
