import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Additions, removals, renames and changes of devices by a new configuration")
struct FleetPlanTests {
    /// A configuration and a state file in short form. `a=1 b=2!` are two configured devices, the second with its own
    /// settings. `c~3` has joined. `configured` is the join policy, `*` the family's section.
    struct Case: Sendable, CustomStringConvertible {
        var before: String
        var after: String
        /// `+` added, `-` removed, `>` renamed, `!` changed, `?` without a name.
        var plan: String

        init(_ before: String, _ after: String, _ plan: String) {
            (self.before, self.after, self.plan) = (before, after, plan)
        }

        var description: String { "\(before) -> \(after)" }
    }

    private static let cases = [
        Case("", "", ""), Case("a=1", "a=1", ""), Case("a=1 b=2", "b=2 a=1", ""), Case("", "a=1", "+a"),
        Case("a=1", "", "-a"), Case("a=1", "b=1", "a>b"), Case("a=1", "a=1!", "a!a"),
        Case("a=1", "b=1!", "a!b"), Case("a=1", "a=2", "+a -a"), Case("a=1 b=2", "a=2 b=1", "a>b b>a"),
        Case("a=1 b=2 c=3", "a=2 b=3 c=1", "a>c b>a c>b"), Case("a=1 b=2 d=4", "a=1 c=2 e=5", "+e -d b>c"),
        // A joined device stays whatever the configuration contains, but yields its name to a configured device.
        Case("c~3", "c~3", ""), Case("c~3", "c~3 a=1", "+a"),
        Case("sample~3", "sample~3 sample=1", "+sample sample>sample/000003"),
        Case("c~3", "c~3 b=3", "c>b"), Case("b=3 c~3", "c~3", "b>c"), Case("c~3", "c~3 c=3!", "c!c"),
        Case("c~3", "c~3 configured", "-c"), Case("c~3 configured", "c~3", "+c"),
        Case("a=1 c~3", "a=1 c~3 *", "c!c"),
    ]

    @Test("A new configuration results in this plan", arguments: FleetPlanTests.cases)
    func plan(_ sample: Case) {
        let (before, joinedBefore) = settings(sample.before)
        let (after, joined) = settings(sample.after)
        let start = plan([], [], before, joinedBefore)
        let plan = plan(start.added, before.devices, after, joined)
        #expect(summary(plan) == sample.plan)
        #expect(start.removed.isEmpty && start.changed.isEmpty && start.renamed.isEmpty)

        // A restart results in the same devices.
        let restart = self.plan([], [], after, joined)
        let stay = start.added.filter { member in
            !(plan.removed + (plan.changed + plan.renamed).map(\.before)).contains(member)
        }
        let devices = stay + plan.added + (plan.changed + plan.renamed).map(\.after)
        #expect(Set(devices) == Set(restart.added))
    }

    @Test("A device that had to take another name, because another bridge has its own, keeps it")
    func taken() {
        var names = DeviceNames(reserved: [])
        names.reserve("a")
        let (settings, _) = settings("a=1")
        let present = [member("sample/000001", 1)]
        let same = plan(present, settings.devices, settings, [], names)
        #expect(summary(same) == "")
        #expect(same.names[address(1)] == "sample/000001")
        let (other, _) = self.settings("b=1")
        #expect(summary(plan(present, settings.devices, other, [], names)) == "sample/000001>b")
        let (again, _) = self.settings("b=1 a=2")
        #expect(summary(plan(present, settings.devices, again, [], names)) == "+a sample/000001>b")
    }

    @Test("A reserved name and an unknown family are reported")
    func unplaced() {
        var (settings, _) = settings("a=1 b=2 c=3")
        settings.devices[1].family = "lamp"
        let plan = plan([], [], settings, [], DeviceNames(reserved: ["c"]))
        #expect(summary(plan) == "+a ?b ?c")
    }

    @Test(
        "A reserved name is replaced by <family>/<id>, in the configuration and in the state",
        arguments: ["zone", "zone/a", "reply/anna/a", "hall/action", "hall/state", "state"])
    func reserved(_ name: String) {
        for text in ["\(name)=1 b=2", "\(name)~1 b=2"] {
            let (settings, joined) = settings(text)
            let start = plan([], [], settings, joined)
            #expect(summary(start) == "+b +sample/000001")
            #expect(start.refused.map(\.name) == [name] && start.refused[0].member.name == "sample/000001")
            // The next plan changes nothing.
            let state = joined.map { device in
                var device = device
                device.name = "sample/000001"
                return device
            }
            let next = plan(start.added, settings.devices, settings, state)
            #expect(next.isEmpty && next.refused.isEmpty)
        }
    }

    @Test("A name that was assigned stays when another bridge gets a family with its first part")
    func later() {
        let (settings, _) = settings("lamp/a=1")
        let next = plan([member("lamp/a", 1)], settings.devices, settings, [])
        #expect(next.isEmpty && next.refused.isEmpty)
    }

    // MARK: Short forms

    private func plan(
        _ present: [FleetPlan.Member], _ before: [BridgeSettings.Device], _ settings: BridgeSettings,
        _ joined: [BridgeState.Device], _ names: DeviceNames = DeviceNames(reserved: [])
    ) -> FleetPlan {
        FleetPlan(
            present: present, before: before, settings: settings, joined: joined, names: names,
            rules: NameRules(families: [SampleFamily()], reserved: [], foreign: ["lamp": "hall"]),
            families: [SampleFamily()])
    }

    private func address(_ number: Int) -> Address { Address(number: 0xAABB_CC00_0000 + UInt64(number)) }

    private func member(_ name: String, _ number: Int) -> FleetPlan.Member {
        FleetPlan.Member(name: name, family: "sample", revision: "", address: address(number), settings: [:])
    }

    private func settings(_ text: String) -> (BridgeSettings, [BridgeState.Device]) {
        var settings = BridgeSettings(id: "attic", families: ["sample": [:]])
        var joined: [BridgeState.Device] = []
        for word in text.split(separator: " ") {
            let parts = word.split { "=~!".contains($0) }
            let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            switch word {
            case "configured": settings.join = .configured
            case "*": settings.families["sample"] = ["greeting": "hi"]
            case _ where word.contains("~"):
                joined.append(
                    BridgeState.Device(address: address(number), family: "sample", name: String(parts[0])))
            default:
                settings.devices.append(
                    BridgeSettings.Device(
                        name: String(parts[0]), family: "sample", address: address(number),
                        settings: word.hasSuffix("!") ? ["greeting": "own"] : [:]))
            }
        }
        return (settings, joined)
    }

    private func summary(_ plan: FleetPlan) -> String {
        let words: [[String]] = [
            plan.added.map { "+\($0.name)" }, plan.removed.map { "-\($0.name)" },
            plan.renamed.map { "\($0.before.name)>\($0.after.name)" },
            plan.changed.map { "\($0.before.name)!\($0.after.name)" }, plan.unplaced.map { "?\($0)" },
        ]
        return words.flatMap { $0.sorted() }.joined(separator: " ")
    }
}
