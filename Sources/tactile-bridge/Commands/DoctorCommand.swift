import ArgumentParser
import BridgeConfiguration
import Commands
import EventLoop
import Glibc
import HostServices

/// The command `tactile-bridge doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Checks everything that the bridge depends on, and shows what to type to fix each problem.",
        discussion: """
            It checks the configuration, the clock, the state file, D-Bus, BlueZ and the known bugs of its version, \
            radio switches, adapters, Bluetooth proxies, and the broker with the bridge's permissions. A running bridge is not disturbed: \
            doctor uses a different client id on the broker, and does not scan, connect or publish retained messages. \
            Subscribers to a device's results receive one result of "doctor". Subscribers to all topics receive 2,000 \
            small messages on bridge/<id>/doctor, which measure how many messages the broker queues for a slow client.

            If the host runs Avahi, doctor also shows the settings for ESPHome devices on the network that may be \
            Bluetooth proxies. It connects to none of them.

            Exits with status 0 if there is no problem, otherwise with 1; a warning is not a problem. On a terminal, \
            lines fit its width, and verdicts are colored unless NO_COLOR is set.

            Examples:
              tactile-bridge doctor
              sudo -u tactile-bridge STATE_DIRECTORY=/var/lib/tactile-bridge \\
                tactile-bridge doctor
              tactile-bridge doctor --json | jq -r 'select(.verdict == "problem").summary'
            """)

    @OptionGroup var source: ConfigurationOption

    @Flag(help: "One JSON object per line: check, verdict (ok, warning, problem), summary, remedies.")
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
