import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Two bridges on one adapter", .serialized)
struct TwoBridgesTests {
    @Test("Only one publishes devices; the other reports the adapter's holder, and takes over later")
    func two() throws {
        let bench = try Bench.withBelt(scenario: Fault.belt)
        let first = try #require(bench.bridge)
        let second = try bench.startSecondBridge()
        let line = try second.expectLine("another program uses the adapter")
        #expect(line.contains("bridge test (process ") && line.contains("hci0"))
        let info = try bench.watcher.expect("bridge/second/info") {
            $0.json["adapters"]?.array?.first?["held_by"]?.string?.hasPrefix("bridge test (process ") ?? false
        }
        #expect(info.json["adapters"]?.array?.first?["powered"] == true)
        let health = try bench.ask("bridge/second/request/health_check", "")
        #expect(health["healthy"] == false)
        #expect("\(health["problems"] ?? .null)".contains("bridge test (process "))

        try bench.expectOneButton()
        // A request for devices changes nothing, as the other bridge holds the adapter.
        try bench.expectOK("bridge/second/request/permit_join", "60")
        try bench.expectOneButton()
        let joined = try bench.ask("bridge/second/request/devices", "")
        #expect(joined["devices"] == [])

        let own = try DoctorTests.run(bench, ["doctor", "--json"]).lines
        #expect(own.contains { $0["summary"]?.string?.hasPrefix("hci0 is in use by bridge test") ?? false })
        let other = try DoctorTests.run(
            bench, ["doctor", "--json"], ["TACTILE_BRIDGE_BRIDGE_ID": "second"]
        ).lines
        #expect(
            other.contains {
                $0["verdict"] == "warning"
                    && $0["summary"]?.string?.hasSuffix("waits until it is free") ?? false
            }, "\(other)")
        for command in [["scan", "--seconds", "1"], ["devices"]] {
            #expect(try DoctorTests.run(bench, command + ["--json"]).status == 0, "\(command)")
        }

        first.send(SIGTERM)
        #expect(first.wait() == 0)
        try second.expectLine("adapter is ready")
        try bench.watcher.expect("bridge/second/info") {
            $0.json["adapters"]?.array?.first?["held_by"] == .null
        }
        try bench.watcher.expectHolder("belt", "second")
        try bench.expectOneButton()
    }

    @Test("SIGTERM of a bridge whose robot drives: it stops at once, and a second bridge takes over")
    func robot() throws {
        let it = try RobotBench()
        let first = try #require(it.bench.bridge)
        let second = try it.bench.startSecondBridge(configuration: "robot: { allow_weapon: true }\n")
        try second.expectLine("another program uses the adapter")
        try it.race()
        let start = EventLoop.now
        first.send(SIGTERM)
        try it.expectRest(since: start, within: .milliseconds(500), "SIGTERM, another waits")
        #expect(first.wait() == 0)
        try second.expectLine("adapter is ready")
        try it.bench.watcher.expectHolder("robot", "second")
        try it.expectFreshStart("a second bridge")
    }

    @Test("kill -9 of the first bridge: the second waits until the guardian has stopped the robot and exited")
    func killed() throws { _ = try Fault.killedBesideAnother() }

    @Test("A replacement guardian keeps the first guardian's place in the queue")
    func guardianReplaced() throws {
        let it = try RobotBench()
        let first = try #require(it.bench.bridge)
        let guardian = try first.expectGuardian()
        let second = try it.bench.startSecondBridge(configuration: "robot: { allow_weapon: true }\n")
        try second.expectLine("another program uses the adapter")
        guardian.signal(SIGKILL)
        let next = try first.expectGuardian()
        try first.expectLine("the guardian is in the queue for an adapter")
        try it.race()
        try it.bench.arrange(["bluez refuse WriteValue InProgress 2s"])
        let start = EventLoop.now
        try it.bench.endBridge(with: SIGKILL)
        let line = try second.expectLine("another program uses the adapter")
        #expect(line.contains("the guardian of bridge test (process \(next.pid),"))
        try it.expectRest(since: start, within: .seconds(5), "kill -9 after the guardian's")
        try second.expectLine("adapter is ready", within: .seconds(10))
        // The guardian gives up the adapter's name before it exits.
        #expect(next.ends(within: .seconds(1)))
    }
}

extension Bench {
    /// Starts a second bridge on the same bus and broker, with another id and folder; ``bridge`` stays the first one.
    func startSecondBridge(
        configuration: String = "", environment: [String: String] = [:]
    ) throws -> Program {
        let own = [
            "TACTILE_BRIDGE_BRIDGE_ID": "second",
            "TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY": folder.file("second"),
        ]
        let file = try folder.write(configuration, to: "second.yaml")
        return try makeBridge(file: file, environment: own.merging(environment) { $1 })
    }

    /// Presses a button of the belt, which must be published once.
    func expectOneButton() throws {
        while watcher.next(within: .milliseconds(10)) != nil {}
        let count = watcher.seen.count
        try act("belt press home")
        try watcher.expect("belt/button")
        // A second bridge's message about the press would arrive before the answers to these commands.
        for value in ["55", "60"] { try expectOK("belt/intensity/set", value) }
        try watcher.expect("belt/intensity", "60")
        let told = watcher.seen.dropFirst(count).filter { $0.topic == "belt/button" }
        #expect(told.count == 1, "\(told)")
    }
}
