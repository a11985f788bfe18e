import EventLoop
import HostTesting
import JSON
import Testing

@Suite("The guides for the shell, as they are printed", .serialized)
struct ShellGuideTests {
    /// A command of a page, and the output line that the page shows for it, if any.
    private struct Step {
        var command: String
        var shown: String?
    }

    private static func steps(of page: String) throws -> [Step] {
        var steps: [Step] = []
        for line in try PrintedShell.blocks("console", of: page).flatMap({ $0 }) {
            if line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2))))
            } else if !steps.isEmpty {
                steps[steps.count - 1].shown = line
            }
        }
        return steps
    }

    @Test(
        "Each command prints what the page shows, or its answer is ok",
        arguments: [("docs/guides/shell.md", 12), ("docs/guides/which-command.md", 7)])
    func page(path: String, count: Int) throws {
        let steps = try Self.steps(of: path)
        #expect(steps.count == count)
        let bench = try Bench()
        try bench.startSimulator(
            scenario: """
                devices:
                  belt: { address: "C0:FF:EE:00:BE:01" }
                  tap: { address: "C0:FF:EE:00:BE:02", bonded: true }
                  robot: { address: "C0:FF:EE:00:B0:01" }
                """)
        try bench.startBridge(environment: [
            "TACTILE_BRIDGE_HAPTICS_DIRECTORY": "\(DemonstrationTests.root)/config/patterns"
        ])
        try bench.watcher.expectAll(
            [
                "belt/availability": "online", "tap/00be02/availability": "online",
                "robot/availability": "online", "belt/battery": nil,
            ], within: .seconds(20))
        for step in steps {
            // A state follows the answer of the previous command, and a bridge that has just started rejects
            // motion. A person types more slowly than this test.
            let end = EventLoop.now + .seconds(10)
            var seen = ""
            repeat {
                seen = try outcome(step, bench)
            } while !PrintedShell.isShown(seen, by: step.shown ?? "ok") && EventLoop.now < end
            #expect(PrintedShell.isShown(seen, by: step.shown ?? "ok"), "\(step.command): \(seen)")
        }
    }

    /// The output of a command; for a command without output, the status of its answer.
    private func outcome(_ step: Step, _ bench: Bench) throws -> String {
        let printed = try TestProcess.run(PrintedShell.command(step.command, bench))
        guard step.shown == nil else { return String(printed.prefix { $0 != "\n" }) }
        #expect(printed == "")
        let topic = step.command.split(separator: " ").first { $0.hasSuffix("/set") } ?? ""
        let levels = topic.split(separator: "/")
        let device = levels.dropLast(2).joined(separator: "/")
        let answer = try bench.watcher.expect("\(device)/result") {
            $0.json["feature"]?.string == levels.dropLast().last.map(String.init)
        }.json
        if answer["code"] == "stopped" {
            try bench.watcher.expect("robot/status") { $0.json["blocked_by"] == .null }
        }
        return answer["status"]?.string ?? ""
    }
}
