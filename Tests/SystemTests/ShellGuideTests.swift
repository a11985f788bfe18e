import EventLoop
import HostTesting
import JSON
import Testing

@Suite("The guides for the shell, as they are printed", .serialized)
struct ShellGuideTests {
    @Test(
        "Each command prints what the page shows, or its answer is ok",
        arguments: [("docs/guides/shell.md", 12), ("docs/guides/which-command.md", 7)])
    func page(path: String, count: Int) throws {
        let steps = try PrintedShell.steps(of: path).filter { $0.command.hasPrefix("mosquitto_") }
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
            let shown = step.shown.last ?? "ok"
            var seen = ""
            repeat {
                seen = try outcome(step, bench)
            } while !PrintedShell.isShown(seen, by: shown) && EventLoop.now < end
            #expect(PrintedShell.isShown(seen, by: shown), "\(step.command): \(seen)")
        }
    }

    /// The output of a command; for a command without output, the status of its answer.
    private func outcome(_ step: PrintedShell.Step, _ bench: Bench) throws -> String {
        let printed = try TestProcess.run(PrintedShell.command(step.command, bench))
        guard step.shown.isEmpty else { return String(printed.prefix { $0 != "\n" }) }
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
