import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Names of devices beside names of features")
struct NameRulesTests {
    /// A family with `level`, and one without.
    private static var families: [any DeviceFamily] {
        var bare = SampleFamily()
        bare.name = "bare"
        bare.missing = ["level"]
        return [SampleFamily(), bare]
    }

    @Test(
        "A last part is refused below a device whose own family has that feature, and nowhere else",
        arguments: [
            ("kitchen/level", [:], true), ("kitchen/level", ["kitchen": "sample"], false),
            ("kitchen/level", ["kitchen": "bare"], true), ("kitchen/mode", ["kitchen": "bare"], false),
            ("kitchen/level", ["hall": "sample"], true), ("level", ["kitchen": "sample"], true),
            ("kitchen/left/level", ["kitchen": "sample"], true),
            ("kitchen/left/level", ["kitchen/left": "sample"], false),
            ("kitchen/lamp", ["kitchen": "sample"], true), ("kitchen/level", ["kitchen": "toaster"], true),
            // These stand behind the name of every device, of another bridge's too.
            ("kitchen/connection", [:], false), ("kitchen/set", [:], false),
        ] as [(String, [String: String], Bool)])
    func below(name: String, devices: [String: String], isTaken: Bool) {
        let rules = NameRules(families: Self.families, reserved: [])
        let complaint = rules.complaint(device: name, family: "bare", groups: [], devices: devices)
        #expect((complaint == nil) == isTaken, "\(complaint ?? "no complaint")")
    }

    @Test(
        "Reserved roots and last levels, and the roots of other families, are refused for devices and groups",
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
        // A family that is not known here has its own root all the same.
        #expect(rules.complaint(device: "toaster/x", family: "toaster", groups: [], devices: [:]) == nil)
        let isGroup = isTaken && !name.hasPrefix("bare")
        #expect((rules.complaint(group: name) == nil) == isGroup, "\(name)")
        if name.hasPrefix("lamp") { #expect(complaint?.contains("the bridge hall") == true) }
    }

    @Test(
        "A name is refused above a device that ends with the name of a feature of its family",
        arguments: [("sample", false), ("bare", true)])
    func above(family: String, isTaken: Bool) {
        let rules = NameRules(families: Self.families, reserved: [])
        let complaint = rules.complaint(
            device: "kitchen", family: family, groups: [], devices: ["kitchen/level": "bare"])
        #expect((complaint == nil) == isTaken)
    }

    @Test("A device that nobody named does not get the name above one that ends with its feature")
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

    @Test("A device is renamed below another one, but not to the name of a feature that this one has")
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
