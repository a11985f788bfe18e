import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("The first steps, as they are printed", .serialized)
struct FirstStepsTests {
    /// A belt that has not joined, and a bridge without a configuration.
    private func bench() throws -> Bench {
        let bench = try Bench()
        try bench.startSimulator(scenario: "devices: { belt: { choices: { wait_signal: off } } }")
        let host = try TestProcess.run(["hostname", "-s"])
        try bench.startBridge(environment: [
            "TACTILE_BRIDGE_BLUETOOTH_JOIN": "permit", "TACTILE_BRIDGE_BRIDGE_ID": host,
        ])
        try bench.watcher.expect("bridge/\(host)/availability", "online")
        return bench
    }

    /// Types the lines in order: the subscriber first, the following ones when it has subscribed.
    private func follow(_ lines: [String]) throws {
        let bench = try bench()
        try #require(lines.count == 5, "\(lines)")
        let watching = try TestProcess(PrintedShell.command(lines[0], bench))
        defer { watching.end(with: SIGKILL) }
        func expect(_ text: String) throws {
            var seen: [String] = []
            let end = EventLoop.now + .seconds(20)
            while let line = watching.nextLine(within: end - EventLoop.now) {
                if line.contains(text) { return }
                seen.append(line)
            }
            throw Missing(what: text, seen: seen)
        }
        // A reader types the rest later; the test waits until the client has subscribed.
        try bench.expectSubscribed(watching, by: "belt/first/steps")
        #expect(try TestProcess.run(PrintedShell.command(lines[1], bench)) == "")
        try expect(#""event":"device_joined""#)
        try expect("belt/availability online")
        for (line, answer) in zip(lines[2...], ["mode", "vibrate", "stop"]) {
            #expect(try TestProcess.run(PrintedShell.command(line, bench)) == "")
            let result = try bench.watcher.expect("belt/result").json
            #expect(result["feature"]?.string == answer && result["status"] == "ok", "\(result)")
            if answer == "vibrate" {
                try #require(bench.simulator).expectMotors([4])
            }
        }
    }

    @Test("README.md leads from a bridge without devices to a belt that vibrates and stops")
    func readme() throws {
        let lines = try PrintedShell.blocks("sh", of: "README.md", below: "First vibration").dropFirst()
            .flatMap {
                $0
            }
        try follow(Array(lines))
    }

    @Test("The help of tactile-bridge leads to the same result")
    func help() throws {
        let text = try TestProcess.run(["env", "COLUMNS=200", "\(Program.folder)/tactile-bridge", "--help"])
        let lines = text.split(separator: "\n").map { String($0.drop { $0 == " " }) }
        #expect(lines.contains("tactile-bridge run"))
        try follow(lines.filter { $0.hasPrefix("mosquitto_") })
    }

    @Test("The first example of README.md shows the actual output, line for line")
    func firstLook() throws {
        let bench = try Bench.withBelt(scenario: "devices: { belt: { choices: { wait_signal: off } } }")
        try bench.watcher.expectAll(
            ["belt/mode": "wait", "belt/battery": nil, "belt/availability": "online"], within: .seconds(10),
            fromStart: true)
        let steps = try PrintedShell.steps(of: "README.md", below: "First look")
        try #require(steps.count == 2)
        for step in steps {
            let process = try TestProcess(PrintedShell.command(step.command, bench))
            defer { process.end(with: SIGKILL) }
            for (index, shown) in step.shown.enumerated() {
                // The retained messages came; the next line depends on the wearer.
                if shown.hasPrefix("belt/button") { try bench.act("belt press home") }
                let line = process.nextLine(within: .seconds(10)) ?? "nothing"
                #expect(
                    PrintedShell.isShown(line, by: shown),
                    "line \(index + 1): printed \(line), shown \(shown)")
            }
        }
    }
}

extension Bench {
    /// Waits until a subscriber has received a message on a topic.
    func expectSubscribed(_ client: TestProcess, by topic: String) throws {
        for _ in 0..<100 {
            try publish(topic, "here")
            if client.nextLine(within: .milliseconds(100))?.hasPrefix(topic) == true { return }
        }
        throw Missing(what: "the subscription of a client", seen: [])
    }
}
