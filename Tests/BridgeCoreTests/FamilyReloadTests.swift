import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Logging
import Testing

@Suite("Families that are added, changed and removed while the bridge runs")
struct FamilyReloadTests {
    private func reload(_ bench: TestBridge, _ families: [any DeviceFamily], _ names: [String?]) -> JSON
        .Value?
    {
        var read = ReloadedConfiguration(settings: ReloadLab.settings(names), families: families)
        read.leftOut = ["x.yaml:1:1: version: missing"]
        bench.configuration.set(read)
        bench.request("reload", "")
        bench.hearAll()
        return bench.broker.objects("bridge/attic/response/reload").last
    }

    @Test("A new version of a family restarts its devices, and the same version does not")
    func revision() {
        ReloadLab.withDevices(ReloadLab.settings(["a", "b"])) { bench in
            let links = bench.radio.links(ReloadLab.addresses[0]).count
            var answer = reload(bench, [SampleFamily()], ["a", "b"])
            #expect(answer?["changed"] == [])
            #expect(answer?["left_out"] == ["x.yaml:1:1: version: missing"])
            #expect(bench.log.count(.error, "x.yaml:1:1: version: missing") == 1)
            #expect(bench.radio.links(ReloadLab.addresses[0]).count == links)
            var family = SampleFamily()
            family.revision = "2"
            family.missing = ["motion"]
            answer = reload(bench, [family], ["a", "b"])
            #expect(answer?["changed"] == ["a", "b"])
            #expect(answer?["families"]?["changed"] == ["sample"])
            #expect(bench.radio.links(ReloadLab.addresses[0]).count == links + 1)
            let features = bench.broker.retainedObject("a/features")?.description ?? ""
            #expect(features.contains("pressed") && !features.contains("motion"))
        }
    }

    @Test("Devices of a family with an invalid file keep their names and report the reason")
    func fault() {
        ReloadLab.withDevices(ReloadLab.settings(["a"])) { bench in
            var family = SampleFamily()
            (family.fault, family.revision) = ("sample.yaml:2:1: match: missing", "broken")
            let answer = reload(bench, [family], ["a"])
            #expect(answer?["families"]?["faults"]?["sample"] == "sample.yaml:2:1: match: missing")
            let connection = bench.broker.retainedObject("a/connection")
            #expect(connection?["state"] == "error")
            #expect(connection?["reason"] == "sample.yaml:2:1: match: missing")
            #expect(connection?["advice"]?.string?.contains("check-device") == true)
            _ = reload(bench, [SampleFamily()], ["a"])
            bench.time.advance(by: .seconds(1))
            #expect(bench.broker.retainedObject("a/connection")?["state"] == "connected")
        }
    }

    @Test("Groups of families follow the families")
    func groups() {
        ReloadLab.withDevices(ReloadLab.settings(["a"])) { bench in
            var other = SampleFamily()
            other.name = "heart"
            let answer = reload(bench, [SampleFamily(), other], ["a"])
            #expect(answer?["families"]?["added"] == ["heart"])
            bench.broker.send("all/hearts/level/set", "9")
            #expect(bench.broker.objects("all/hearts/result").count == 1)
            _ = reload(bench, [SampleFamily()], ["a"])
            bench.broker.send("all/hearts/level/set", "9")
            #expect(bench.broker.objects("all/hearts/result").count == 1)
        }
    }
}

@Suite("Families that recognize the same device")
struct RankTests {
    private func family(_ name: String, _ rank: MatchRank) -> SampleFamily {
        var family = SampleFamily()
        (family.name, family.rank) = (name, rank)
        return family
    }

    private func names(_ families: [any DeviceFamily]) -> [String] {
        let advertisement = Advertisement(address: BridgeSettings.sample, name: "sss")
        return families.recognizing(advertisement).map(\.name)
    }

    @Test("An identifier ranks before an exact name, and an exact name before a part of a name")
    func basis() {
        let part = family("s", MatchRank(.partialName, conditions: 3, literals: 9))
        let name = family("ss", MatchRank(.exactName, conditions: 2, literals: 3))
        let identifier = family("sss", MatchRank(.identifier))
        #expect(names([part, name, identifier]) == ["sss", "ss", "s"])
    }

    @Test("The rank then depends on the conditions, the literal letters and the order of the families")
    func order() {
        let (a, b) = (
            family("s", MatchRank(.partialName, conditions: 1, literals: 3)),
            family("ss", MatchRank(.partialName, conditions: 2, literals: 0))
        )
        let c = family("sss", MatchRank(.partialName, conditions: 1, literals: 3))
        #expect(names([a, b, c]) == ["ss", "s", "sss"])
        #expect(names([c, a]) == ["sss", "s"])
        #expect(names([family("x", MatchRank(.identifier))]) == [])
    }
}
