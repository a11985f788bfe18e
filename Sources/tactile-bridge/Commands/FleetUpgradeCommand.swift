import ArgumentParser
import BridgeConfiguration
import Commands
import EventLoop
import Glibc
import HostServices
import Terminal

/// The command `tactile-bridge fleet upgrade`.
struct FleetUpgradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade", abstract: "Installs a version on the hosts in waves, and checks each wave.",
        discussion: """
            For each wave it drains the bridges, calls the hook for each host, waits until the bridges are online with \
            the version, undrains them, waits, and checks the gates. If a hook or a gate fails, it installs the former \
            version on the hosts of this wave and exits with status 1. Requires the role admin.

            The hook is your own program. Its arguments are the name of the host and the version. Its variables \
            FLEET_BRIDGE, FLEET_HOST, FLEET_ZONE, FLEET_VERSION and FLEET_FORMER_VERSION have the details; \
            FLEET_ROLLBACK is 1 during a rollback and otherwise empty. It has no terminal and no input.

            Gates, each compared with the state before the wave:
              errors   no restart, no new problem, no higher share of failures
              latency  the 99th percentiles in stats at most doubled, or below 200 ms
              offline  devices that were online on the wave's hosts are online

            The first interrupt (Ctrl-C) lets running hooks finish, undrains all hosts and exits. The next one also \
            terminates the hooks.

            Examples:
              tactile-bridge fleet upgrade --to 0.3.0 --hook ./install-bridge --dry-run
              tactile-bridge fleet upgrade --to 0.3.0 --wave 5% --hook ./install-bridge
            """)

    @Option(help: ArgumentHelp("The version to install, as fleet ls shows it.", valueName: "version"))
    var to: String

    @Option(help: ArgumentHelp("The program that installs a version on a host.", valueName: "program"))
    var hook: String

    @Option(
        help: ArgumentHelp(
            "The program that installs the former version. Default: the hook.", valueName: "program"))
    var rollback: String?

    @Option(
        help: ArgumentHelp(
            "The hosts in a wave: a share of the bridges that are online, rounded down but at least one host, or a "
                + "number.", valueName: "size"))
    var wave = "10%"

    @Option(
        help: ArgumentHelp(
            "The time from the upgrade of a wave to the check of the gates, such as 30s, 10m or 2h.",
            valueName: "time"))
    var wait = "10m"

    @Option(help: ArgumentHelp("The gates, separated by commas.", valueName: "gates"))
    var gate = UpgradeGate.allowed

    @Option(
        help: ArgumentHelp(
            "The time limit of each hook, and then of the return of the bridges.", valueName: "time"))
    var timeout = "10m"

    @Flag(help: "Only prints the plan.")
    var dryRun = false

    @OptionGroup var source: ConfigurationOption

    func validate() throws {
        guard UpgradePlan.isVersion(to) else {
            throw ValidationError("--to: found \(to.printable); allowed: a version such as 0.3.0")
        }
        for (option, path) in [("--hook", hook), ("--rollback", rollback ?? hook)] {
            guard access(path, X_OK) == 0 else {
                throw ValidationError(
                    "\(option): found \(path.printable): \(String(cString: strerror(errno))); allowed: the path of an "
                        + "executable program")
            }
            guard access("\(path)/", F_OK) != 0 else {
                throw ValidationError("\(option): found the folder \(path.printable); allowed: a program")
            }
        }
        _ = try (size(), options())
    }

    func run() async throws {
        // Without a reader of its output, the command has to go on: otherwise hosts would stay drained.
        signal(SIGPIPE, SIG_IGN)
        let configuration = try source.loader.load()
        let (size, options, settings) = (try size(), try options(), configuration.settings)
        let (version, dryRun) = (to, dryRun)
        let loop = try EventLoop.start(name: "requests")
        defer { loop.stop() }
        let isUpgraded = try await FleetAccess.use(configuration) { client, fleet in
            let plan = try UpgradePlan(to: version, in: size, of: fleet)
            for line in plan.lines { Self.show(line) }
            if dryRun || plan.waves.isEmpty { return true }
            let upgrade = FleetUpgrade(plan, options, settings, client, on: loop) { Self.show($0) }
            return try await upgrade.run()
        }
        guard isUpgraded else { throw ExitCode(ExitStatus.problem.rawValue) }
    }

    /// Prints a line at once, also to a pipe; ``StandardOutput/flush()`` at the end reports an error.
    private static func show(_ line: String) {
        print(line.printable)
        try? StandardOutput.flush()
    }

    private func size() throws -> WaveSize {
        guard let size = WaveSize(wave) else {
            throw ValidationError("--wave: found \(wave.printable); allowed: \(WaveSize.allowed)")
        }
        return size
    }

    private func options() throws -> UpgradeOptions {
        guard let gates = UpgradeGate.list(gate) else {
            throw ValidationError(
                "--gate: found \(gate.printable); allowed: one or more of \(UpgradeGate.allowed)")
        }
        func time(_ option: String, _ text: String) throws -> Duration {
            guard let time = UpgradeOptions.time(text) else {
                throw ValidationError(
                    "\(option): found \(text.printable); allowed: \(UpgradeOptions.allowedTimes)")
            }
            return time
        }
        return UpgradeOptions(
            hook: hook, rollback: rollback ?? hook, gates: gates, wait: try time("--wait", wait),
            timeout: try time("--timeout", timeout))
    }
}
