import Testing

@testable import Commands

@Suite("The gates of an upgrade in waves")
struct WaveGatesTests {
    /// What a bridge publishes; the default values pass every gate.
    struct Published {
        var availability = "online"
        var version = "0.2.0"
        var started = "12:00"
        var guardian = true
        var powered = true
        var device = "online"
        var time = "12:01"
        var writes = (done: 100, failed: 0)
        var commands = (done: 100, failed: 5)
        var latency = (count: 50, p99: "40")
        var lost = 0
        var refused: [String] = []

        var messages: [(String, String)] {
            let topics = refused.map { #"{"topic":"\#($0)","reason":"not authorized"}"# }
                .joined(separator: ",")
            return [
                ("bridge/a/availability", availability),
                (
                    "bridge/a/info",
                    #"{"version":"\#(version)","started":"\#(started)","guardian":\#(guardian),"#
                        + #""adapters":[{"name":"hci0","powered":\#(powered)}]}"#
                ),
                (
                    "bridge/a/devices",
                    #"[{"name":"belt","family":"belt","address":"C0:FF:EE:00:BE:01","availability":"\#(device)"}]"#
                ),
                (
                    "bridge/a/stats",
                    #"{"time":"\#(time)","interval_s":30,"refused":[\#(topics)],"#
                        + #""commands":{"count":\#(latency.count),"p99_ms":\#(latency.p99)},"#
                        + #""mqtt":{"dropped":{"events":\#(lost)},"latency":{"count":90,"p99_ms":2}},"#
                        + #""families":{"belt":{"writes":\#(writes.done),"failed_writes":\#(writes.failed)},"#
                        + #""tap":{"commands":\#(commands.done),"failed_commands":\#(commands.failed)}}}"#
                ),
            ]
        }
    }

    /// The gates that fail after an upgrade of the only host.
    private static func failures(
        _ gates: [UpgradeGate] = UpgradeGate.allCases, before: Published = Published(),
        others: [(String, String)] = [], _ change: (inout Published) -> Void
    ) throws -> [String] {
        var fleet = FleetExample.snapshot(before.messages)
        let plan = try UpgradePlan(to: "0.3.0", in: .hosts(1), of: fleet)
        var wave = WaveGates(gates, of: try #require(plan.waves.first), fleet)
        func hear(_ messages: [(String, String)]) {
            for (topic, payload) in messages { fleet.hear(topic, Array(payload.utf8)) }
        }
        // The bridge returns. Its next metrics have another time.
        var now = Published(version: "0.3.0", started: "13:00")
        hear(now.messages.filter { $0.0 != "bridge/a/stats" })
        wave.note(returned: fleet)
        now.time = "13:01"
        change(&now)
        hear(now.messages + others)
        return wave.failures("0.3.0", fleet).map { "\($0.bridge): \($0.reason)" }
    }

    @Test("A bridge that works as before passes all gates")
    func passes() throws {
        #expect(try Self.failures { _ in } == [])
    }

    @Test("A bridge that is offline, or has another version again, fails whichever gates are chosen")
    func away() throws {
        for gate in UpgradeGate.allCases {
            let offline = try Self.failures([gate]) { $0.availability = "offline" }
            #expect(offline.first == "a: the bridge is offline")
            let other = try Self.failures([gate]) { $0.version = "0.2.0" }
            #expect(other.first == "a: the bridge has version 0.2.0, not 0.3.0")
        }
    }

    @Test("errors fails for a new start, a missing guardian or adapter, refused topics and lost events")
    func errors() throws {
        #expect(
            try Self.failures([.errors]) { $0.started = "13:05" } == ["a: errors: the bridge started again"])
        #expect(try Self.failures([.errors]) { $0.guardian = false } == ["a: errors: no guardian is running"])
        #expect(
            try Self.failures([.errors]) { $0.powered = false } == [
                "a: errors: no Bluetooth adapter is ready"
            ])
        #expect(
            try Self.failures([.errors]) { $0.refused = ["belt/new"] } == [
                "a: errors: the broker refuses belt/new"
            ])
        #expect(try Self.failures([.errors]) { $0.lost = 3 } == ["a: errors: 3 events were lost"])
        #expect(
            try Self.failures([.latency, .offline]) {
                ($0.started, $0.guardian, $0.powered, $0.lost) = ("13:05", false, false, 3)
            } == [])
    }

    @Test("errors ignores problems that the bridge had before")
    func known() throws {
        let before = Published(guardian: false, powered: false, refused: ["belt/battery"])
        let failures = try Self.failures([.errors], before: before) {
            ($0.guardian, $0.powered, $0.refused) = (false, false, ["belt/battery"])
        }
        #expect(failures == [])
    }

    @Test("errors compares the share of failed commands and writes, of at least ten failures")
    func shares() throws {
        #expect(
            try Self.failures([.errors]) { $0.commands = (80, 20) } == [
                "a: errors: 20 of 100 commands failed; before: 5 of 105"
            ])
        #expect(
            try Self.failures([.errors]) { $0.writes = (0, 10) } == [
                "a: errors: 10 of 10 writes failed; before: 0 of 100"
            ])
        #expect(try Self.failures([.errors]) { $0.commands = (90, 11) } == [])
        #expect(try Self.failures([.errors]) { $0.writes = (0, 9) } == [])
    }

    @Test("latency fails above twice the earlier value, at least 200 ms, with ten values or more")
    func latency() throws {
        #expect(
            try Self.failures([.latency]) { $0.latency = (10, "200.5") } == [
                "a: latency: commands take 200.5 ms (99th percentile); before: 40 ms, allowed: 200 ms"
            ])
        #expect(try Self.failures([.latency]) { $0.latency = (10, "200") } == [])
        #expect(try Self.failures([.latency]) { $0.latency = (9, "900") } == [])
        let slow = Published(latency: (50, "150"))
        #expect(try Self.failures([.latency], before: slow) { $0.latency = (50, "299") } == [])
        #expect(try Self.failures([.latency], before: slow) { $0.latency = (50, "301") }.count == 1)
    }

    @Test("errors and latency fail without metrics after the upgrade; offline needs none")
    func noStats() throws {
        for gate in [UpgradeGate.errors, .latency] {
            #expect(
                try Self.failures([gate]) { $0.time = "12:01" } == [
                    "a: the bridge published no stats after the upgrade"
                ])
        }
        #expect(try Self.failures([.offline]) { $0.time = "12:01" } == [])
    }

    @Test("offline fails for a device that was online before and is online on no host")
    func offline() throws {
        #expect(
            try Self.failures([.offline]) { $0.device = "offline" } == [
                "a: offline: belt was online before the upgrade"
            ])
        #expect(
            try Self.failures([.offline], before: Published(device: "offline")) { $0.device = "offline" }
                == [])
        #expect(try Self.failures([.errors, .latency]) { $0.device = "offline" } == [])
        // Another host has the device now, under the name that it has there.
        let other = [
            ("bridge/b/availability", "online"),
            (
                "bridge/b/devices",
                #"[{"name":"belt/b","address":"C0:FF:EE:00:BE:01","availability":"online"}]"#
            ),
        ]
        #expect(try Self.failures([.offline], others: other) { $0.device = "offline" } == [])
        let gone = [other[1], ("bridge/b/availability", "offline")]
        #expect(try Self.failures([.offline], others: gone) { $0.device = "offline" }.count == 1)
    }
}
