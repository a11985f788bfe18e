import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("The example clients", .serialized)
struct ExampleTests {
    static let clients = ["client.py", "client.sh"]

    /// Starts an example as a user does.
    private func start(_ client: String, _ arguments: [String], _ bench: Bench) throws -> TestProcess {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/examples").path
        // The interpreter of Debian, for which `deploy/needs` installs the library.
        let interpreter = client == "client.py" ? ["/usr/bin/python3"] : []
        return try TestProcess(
            interpreter + ["\(folder)/\(client)"] + arguments,
            environment: ["BROKER_HOST": "127.0.0.1", "BROKER_PORT": "\(bench.broker.port)"],
            hearsSignals: true)
    }

    /// Runs an example to its end.
    private func run(
        _ client: String, _ arguments: [String], _ bench: Bench
    ) throws -> (lines: [String], status: CInt) {
        let process = try start(client, arguments, bench)
        var lines: [String] = []
        while let line = process.nextLine(within: .seconds(30)) { lines.append(line) }
        return (lines, process.end(with: nil))
    }

    @Test("An example lists devices, sends a command, and tells success from rejection", arguments: clients)
    func calls(_ client: String) throws {
        let bench = try Bench.withBelt(scenario: "devices: { belt: }")
        let devices = try run(client, ["devices", "test"], bench)
        #expect(devices.lines.count == 1)
        #expect(devices.lines.first?.hasPrefix("belt belt") == true, "\(devices.lines)")
        #expect(devices.status == 0)
        let good = try run(client, ["call", "belt/intensity/set", "60"], bench)
        let answer = try JSON.Value(parsing: (good.lines.last ?? "").utf8)
        #expect(answer["status"] == "ok")
        #expect(answer["feature"] == "intensity")
        #expect(good.status == 0)
        let bad = try run(client, ["call", "belt/intensity/set", "7000"], bench)
        #expect(try JSON.Value(parsing: (bad.lines.last ?? "").utf8)["code"] == "out_of_range")
        #expect(bad.status == 1)
        #expect(try run(client, ["call"], bench).status == 64)
        #expect(try run(client, ["dance"], bench).status == 64)
    }

    @Test("An example follows a state: its present value first, and then each change", arguments: clients)
    func follows(_ client: String) throws {
        let bench = try Bench.withBelt(scenario: "devices: { belt: { choices: { wait_signal: off } } }")
        try bench.expectOK("belt/mode/set", "app")
        let process = try start(
            client, ["follow", "belt/mode"] + (client == "client.py" ? ["--count", "2"] : ["2"]), bench)
        #expect(process.nextLine(within: .seconds(10)) == "app")
        try bench.expectOK("belt/mode/set", "pause")
        #expect(process.nextLine(within: .seconds(10)) == "pause")
        #expect(process.end(with: nil) == 0)
    }

    @Test("Without a broker an example exits with its own status", arguments: clients)
    func noBroker(_ client: String) throws {
        let bench = try Bench(brokerRuns: false)
        #expect(try run(client, ["follow", "belt/mode"], bench).status == 69)
    }

    @Test(
        "An example drives the robot for the requested time, longer than one lease, and the robot then stops",
        arguments: clients)
    func lease(_ client: String) throws {
        let robot = try RobotBench()
        let begin = EventLoop.now
        let process = try start(client, ["drive", "robot", "2"], robot.bench)
        try robot.robot.expectWheels(turning: true)
        try robot.bench.watcher.expect("robot/stop/set", within: .seconds(20))
        // The programs of a shell may take longer to start than the lease lasts.
        try robot.bench.watcher.expect("robot/status", fromStart: true) {
            ["stop", "lease"].contains($0.json["stopped_by"]) && $0.json["moving"] == false
        }
        // The shell counts whole seconds.
        #expect(EventLoop.now - begin > .milliseconds(900))
        try robot.robot.expectWheels(turning: false)
        #expect(process.end(with: nil) == 0)
    }

    @Test("The robot stops within its lease when an example is killed while it drives", arguments: clients)
    func death(_ client: String) throws {
        let robot = try RobotBench()
        let process = try start(client, ["drive", "robot", "20"], robot.bench)
        try robot.robot.expectWheels(turning: true)
        process.end(with: SIGKILL)
        let begin = EventLoop.now
        try robot.expectRest(since: begin, within: .seconds(1), weapon: false, "\(client) dies")
        try robot.bench.watcher.expect("robot/status") { $0.json["stopped_by"] == "lease" }
    }
}
