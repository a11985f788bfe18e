import ArgumentParser
import BlueZSimulator
import DBus
import EventLoop
import Glibc
import HostServices
import Logging
import VirtualDevices

/// The command `tactile-simulator`: virtual devices on a simulated radio, or on a real Bluetooth adapter.
@main
struct SimulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tactile-simulator",
        abstract:
            "Simulates Bluetooth devices: a belt, a TAP, a robot, or a scenario's devices.",
        discussion: """
            Without options it starts a private bus with a simulated BlueZ, puts a belt, a TAP and a robot in range, \
            and prints the bus's address: set the bridge's bluetooth.bus to it.

            Type a line to control a device:
              belt press home [double|long]    belt battery 42 [charging]
              belt turn 90                     belt compass inaccurate
              belt mode compass                belt standby
              tap 5 [double|triple]            tap mouse 12 -3
              tap gesture 2                    tap air-mouse on
              tap raw 200                      tap raw off
              robot refuse 3                   robot turn 90
              robot restart                    garbage belt 100
              drop belt                        mute belt
              unmute belt

            With the simulated BlueZ, also to control BlueZ:
              adapter off                      adapter remove
              adapter add hci0                 adapter links 3
              adapter links any                bluez ignore WriteValue
              bluez stale belt                 bluez update belt
              bluez refuse StartDiscovery NotReady 3
              bluez refuse WriteValue InProgress 5s
              bluez deaf

            The answer to an unknown line lists all lines that the device accepts.

            'tactile-simulator air' simulates several hosts in range of the devices, 'tactile-simulator proxy' an \
            ESPHome Bluetooth proxy.

            On a terminal it draws what the wearers feel. Otherwise, or with --json, it prints one JSON object \
            per line: ready, write, feel, wheels, vibrate, link, error, and the device's own events.

            Exit codes: 0 success, 64 wrong usage, 69 a required service is unavailable, 70 internal error, \
            78 invalid scenario.
            """,
        version: "tactile-simulator \(TactileBridge.version)",
        subcommands: [AirCommand.self, ProxyCommand.self])

    @Option(
        help: ArgumentHelp(
            "Devices, their actions and faults (YAML). Default: a belt, a TAP and a robot at rest.",
            valueName: "file"))
    var scenario: String?

    @Option(
        help: ArgumentHelp(
            "Play the devices of a recording from 'tactile-bridge record' or 'run --record'.",
            valueName: "file"))
    var replay: String?

    @Option(
        help: ArgumentHelp(
            "The bus: an address, 'system', 'session', or 'private' for a new one. "
                + "Default: private; with --adapter: system.", valueName: "address"))
    var bus: String?

    @Option(
        help: ArgumentHelp(
            "Advertise on this adapter of a real bluetoothd; once per device.", valueName: "hciN"))
    var adapter: [String] = []

    @Flag(help: "Draw what a wearer feels, even if the output is not a terminal.")
    var wear = false

    @Flag(help: "Print JSON lines, even on a terminal.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "The minimum log level on standard error: trace, debug, info, notice, warning, error.",
            valueName: "level"))
    var logLevel = "notice"

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            guard exitCode(for: error).isSuccess else { exit(withError: error) }
            print(fullMessage(for: error))
        }
        do { try HostServices.StandardOutput.flush() } catch {
            StandardError.write("\(error)\n")
            Glibc.exit(error.status.rawValue)
        }
    }

    func validate() throws {
        if scenario != nil, replay != nil {
            throw ValidationError("--scenario and --replay exclude each other.")
        }
        if wear, json { throw ValidationError("--wear and --json exclude each other.") }
        if !adapter.isEmpty, bus == "private" {
            throw ValidationError("--adapter requires the bus of a real bluetoothd; a private bus has none.")
        }
        if Logger.Level(rawValue: logLevel) == nil {
            throw ValidationError(
                "--log-level \(logLevel): expected trace, debug, info, notice, warning or error.")
        }
    }

    func run() async throws {
        try await Self.carryOut(logLevel: logLevel) {
            let scenario = try readScenario()
            guard scenario.hosts.isEmpty else {
                throw ScenarioError(
                    .invalidValue, file: self.scenario ?? "", line: nil, key: "hosts",
                    message: "found, but this command simulates one host; use 'tactile-simulator air'")
            }
            try await Run(scenario: scenario, bus: bus, adapters: adapter, isWorn: isWorn)()
        }
    }

    /// Runs the body of a command with a log on standard error, and reports its errors.
    static func carryOut(logLevel: String, _ body: () async throws -> Void) async throws {
        let level = Logger.Level(rawValue: logLevel) ?? .notice
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
        do {
            try await body()
        } catch {
            StandardError.write("tactile-simulator: \(error)\n")
            throw ExitCode(exitCode(of: error))
        }
    }

    /// Whether the output is a drawing of what a wearer feels.
    var isWorn: Bool { wear || (!json && isatty(STDOUT_FILENO) == 1) }

    /// Reads the scenario that the options name.
    func readScenario() throws(ScenarioError) -> Scenario {
        if let replay { return try ScenarioFile.readRecording(path: replay) }
        if let scenario { return try ScenarioFile.read(path: scenario) }
        return .standard
    }

    /// Returns the exit code of an error; for errors that users can fix, a code of `sysexits.h`.
    static func exitCode(of error: any Error) -> Int32 {
        switch error {
        case is ScenarioError: EX_CONFIG
        case is SimulatorError, is OwnBus.Failure, is DBusError, is FileAccess.Failure: EX_UNAVAILABLE
        default: EX_SOFTWARE
        }
    }
}
