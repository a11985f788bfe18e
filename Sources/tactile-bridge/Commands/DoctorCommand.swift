import ArgumentParser
import BridgeConfiguration
import Commands
import EventLoop
import Glibc
import HostServices

/// `tactile-bridge doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Looks at everything that the bridge stands on, and says what to type where something is wrong.",
        discussion: """
            It looks at the configuration, the clock, the state file, the bus, BlueZ and its version's known \
            mistakes, radio switches, adapters, and at the broker with what it lets the bridge do. A bridge that runs \
            is not disturbed: the broker is visited under another client id, nothing is searched for, connected or \
            retained; who listens to a device's results sees one of "doctor", and who listens to all topics 2,000 small \
            messages on bridge/<id>/doctor, by which it finds out what the broker keeps for a slow client.

            Ends with 0 if there is no problem, else with 1; warnings are none. On a terminal the lines are as wide as \
            it is, and the verdicts have colours unless NO_COLOR is set.

            Examples:
              tactile-bridge doctor
              sudo -u tactile-bridge STATE_DIRECTORY=/var/lib/tactile-bridge \\
                tactile-bridge doctor
              tactile-bridge doctor --json | jq -r 'select(.verdict == "problem").summary'
            """)

    @OptionGroup var source: ConfigurationOption

    @Flag(help: "One JSON object a line: check, verdict (ok, warning, problem), summary, remedies.")
    var json = false

    func run() async throws {
        let loop = try EventLoop.start(name: "doctor")
        let examination = Examination(loader: source.loader)
        let findings = try await withTaskExecutorPreference(loop) { try await examination.findings(on: loop) }
        loop.stop()
        if json {
            for finding in findings { print(finding.line) }
        } else {
            let style = TerminalStyle(of: STDOUT_FILENO, environment: source.loader.host.environment)
            for line in findings.flatMap({ $0.lines(style) }) { print(line) }
            print("", findings.conclusion, separator: "\n")
        }
        guard !findings.contains(where: { $0.verdict == .problem }) else {
            throw ExitCode(ExitStatus.problem.rawValue)
        }
    }
}
