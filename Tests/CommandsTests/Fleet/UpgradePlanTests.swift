import HostServices
import Testing

@testable import Commands

@Suite("The plan of an upgrade in waves")
struct UpgradePlanTests {
    /// Bridges that are online with version 0.2.0, each with a zone.
    static func fleet(_ bridges: [(id: String, zone: String)]) -> FleetSnapshot {
        FleetExample.snapshot(
            bridges.flatMap { id, zone in
                [
                    ("bridge/\(id)/availability", "online"),
                    (
                        "bridge/\(id)/info",
                        #"{"version":"0.2.0","host":"\#(id).example","zone":"\#(zone)","started":"1"}"#
                    ),
                ]
            })
    }

    private static func waves(_ plan: UpgradePlan) -> [[String]] { plan.waves.map { $0.map(\.bridge) } }

    @Test(
        "A wave has its share of the bridges that are online, and at least one host",
        arguments: [
            (1, "10%", [1]), (3, "10%", [1, 1, 1]), (3, "50%", [1, 1, 1]), (3, "100%", [3]),
            (300, "10%", Array(repeating: 30, count: 10)), (300, "33%", [99, 99, 99, 3]),
            (5, "2", [2, 2, 1]), (3, "9", [3]),
        ] as [(Int, String, [Int])])
    func sizes(count: Int, size: String, expected: [Int]) throws {
        let fleet = Self.fleet((0..<count).map { ("host-\($0)", "") })
        let plan = try UpgradePlan(to: "0.3.0", in: #require(WaveSize(size)), of: fleet)
        #expect(plan.waves.map(\.count) == expected)
        #expect(Set(plan.waves.flatMap { $0 }.map(\.bridge)).count == count)
        #expect(plan.exceptions.isEmpty)
    }

    @Test("Hosts of a zone are spread over the waves")
    func zones() throws {
        let fleet = Self.fleet([
            ("a1", "attic"), ("a2", "attic"), ("h1", "hall"), ("h2", "hall"), ("h3", "hall"), ("h4", "hall"),
        ])
        let plan = try UpgradePlan(to: "0.3.0", in: .hosts(3), of: fleet)
        #expect(Self.waves(plan) == [["h1", "a1", "h2"], ["h3", "a2", "h4"]])
    }

    @Test("Bridges that are offline, draining or up to date keep their version, and the share counts them")
    func exceptions() throws {
        var fleet = FleetExample.fleet
        fleet.hear("bridge/porch/availability", Array("online".utf8))
        fleet.hear("bridge/porch/info", Array(#"{"version":"0.3.0"}"#.utf8))
        fleet.hear("bridge/shed/availability", Array("online".utf8))
        let plan = try UpgradePlan(to: "0.3.0", in: .percent(50), of: fleet)
        #expect(
            plan.lines == [
                "WAVE  BRIDGE  HOST           ZONE      VERSION         ONLINE",
                "1     attic   attic.example  upstairs  0.2.0 -> 0.3.0  1",
                "not upgraded: cellar: offline", "not upgraded: hall: draining already",
                "not upgraded: porch: has 0.3.0 already", "not upgraded: shed: publishes no version",
            ])
        let done = try UpgradePlan(to: "0.2.0", in: .percent(50), of: Self.fleet([("a", "")]))
        #expect(done.waves.isEmpty && done.lines.first == "No bridge needs the upgrade.")
        let failure = #expect(throws: CommandFailure.self) {
            try UpgradePlan(to: "0.3.0", in: .percent(50), of: FleetExample.snapshot([]))
        }
        #expect(failure?.status == .unavailable)
    }

    @Test(
        "Names and versions that a hook could take for options or commands are not passed to it",
        arguments: [
            (#"{"version":"0.2.0","host":"-oProxyCommand=reboot"}"#, "the name of its host is invalid"),
            (#"{"version":"0.2.0","host":"a;reboot"}"#, "the name of its host is invalid"),
            (#"{"version":"0.2.0","host":""}"#, "the name of its host is invalid"),
            (#"{"version":"$(reboot)","host":"a"}"#, "its version is invalid"),
            (#"{"version":"--purge","host":"a"}"#, "its version is invalid"),
        ])
    func untrusted(info: String, reason: String) throws {
        let fleet = FleetExample.snapshot([("bridge/a/availability", "online"), ("bridge/a/info", info)])
        let plan = try UpgradePlan(to: "0.3.0", in: .hosts(1), of: fleet)
        #expect(plan.waves.isEmpty)
        #expect(plan.exceptions.first?.reason.hasPrefix(reason) == true)
    }

    @Test("A host without a name gets the id of its bridge")
    func nameless() throws {
        let fleet = FleetExample.snapshot([
            ("bridge/a/availability", "online"), ("bridge/a/info", #"{"version":"0.2.0~1"}"#),
        ])
        let host = try UpgradePlan(to: "0.2.0", in: .hosts(1), of: fleet).waves.first?.first
        #expect(host?.host == "a" && host?.former == "0.2.0~1" && host?.zone == nil)
    }

    @Test("Options: valid and invalid sizes of waves, gates and times")
    func options() {
        #expect(WaveSize("10%") == .percent(10) && WaveSize("3") == .hosts(3))
        for text in ["", "%", "0", "0%", "101%", "-1", "1.5", "10 %", "10001"] {
            #expect(WaveSize(text) == nil)
        }
        #expect(UpgradeGate.list("offline,errors") == [.errors, .offline])
        #expect(UpgradeGate.list("errors,errors") == [.errors])
        for text in ["", "errors,", "error", "errors latency"] { #expect(UpgradeGate.list(text) == nil) }
        #expect(UpgradeOptions.time("30s") == .seconds(30) && UpgradeOptions.time("10m") == .seconds(600))
        #expect(UpgradeOptions.time("24h") == .seconds(86_400))
        for text in ["", "s", "0s", "25h", "10", "-1m", "1.5h", "9999999999999h"] {
            #expect(UpgradeOptions.time(text) == nil)
        }
        for text in ["", "-1", "a b", "0.3.0;", "~1"] { #expect(!UpgradePlan.isVersion(text)) }
    }
}
