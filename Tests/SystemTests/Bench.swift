import DBus
import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

/// The complete environment of a user, each part as its own process: a broker, a bus with simulated devices,
/// the bridge, and a client that subscribes to all topics.
final class Bench {
    let bus: PrivateBus
    let broker: TestBroker
    let folder: TemporaryDirectory
    private(set) var simulator: Program?
    private(set) var bridge: Program?
    private(set) var watcher: Watcher

    /// Starts the broker, the bus and the watcher. Tests start the simulator and the bridge separately.
    ///
    /// - Parameters:
    ///   - users: The user names and passwords of the broker; anonymous clients are accepted if there are
    ///     none.
    ///   - brokerLines: Additional lines of the broker's configuration.
    ///   - keepsSessions: Whether the broker saves clients' sessions and queued messages across a clean
    ///     restart.
    ///   - busPolicy: The policy of the bus; nil allows everything.
    init(
        brokerRuns: Bool = true, brokerAddress: String = "127.0.0.1", users: [String: String] = [:],
        brokerLines: [String] = [], keepsSessions: Bool = false, busPolicy: String? = nil
    ) throws {
        bus = try PrivateBus(policy: busPolicy)
        folder = try TemporaryDirectory()
        var options = TestBroker.Options()
        options.address = brokerAddress
        // By default mosquitto drops messages that a slow subscriber has not read yet.
        options.lines = ["max_queued_messages 100000"] + brokerLines
        options.users = users
        if keepsSessions { options.lines += ["persistence true", "persistence_location \(folder.file(""))"] }
        broker = try TestBroker(options)
        if !brokerRuns { broker.kill() }
        watcher = try Watcher(broker, isThere: brokerRuns)
    }

    /// Creates a second host on the broker of another bench, with its own bus and bridge.
    init(besides other: Bench) throws {
        bus = try PrivateBus(policy: nil)
        folder = try TemporaryDirectory()
        broker = other.broker
        watcher = other.watcher
    }

    /// Uses a broker that runs already.
    ///
    /// - Parameter watched: The broker that the watcher subscribes on; `broker` if nil.
    init(at broker: TestBroker, watching watched: TestBroker? = nil) throws {
        bus = try PrivateBus(policy: nil)
        folder = try TemporaryDirectory()
        self.broker = broker
        watcher = try Watcher(watched ?? broker, isThere: true)
    }

    /// Starts the simulator with a scenario, the devices of a recording, or its default scenario.
    @discardableResult
    func startSimulator(scenario: String? = nil, replaying recording: String? = nil) throws -> Program {
        var arguments = ["--bus", bus.address.description, "--json"]
        if let recording { arguments += ["--replay", recording] }
        if let scenario {
            arguments += ["--scenario", try folder.write(scenario, to: "scenario.yaml")]
        }
        let program = try Program("tactile-simulator", arguments)
        _ = try program.expect("the simulator is ready", within: .seconds(15)) {
            $0["event"]?.string == "ready"
        }
        simulator = program
        return program
    }

    /// Starts the bridge with a configuration. Devices in range join unless the configuration states otherwise.
    @discardableResult
    func startBridge(
        configuration: String = "", host: String = "127.0.0.1", environment: [String: String] = [:],
        logLevel: String? = "debug", options: [String] = []
    ) throws -> Program {
        let program = try makeBridge(
            file: try configure(configuration), host: host, environment: environment, logLevel: logLevel,
            options: options)
        bridge = program
        return program
    }

    /// Starts an additional bridge, which ``endBridge(with:)`` does not stop.
    func makeBridge(
        file: String, host: String = "127.0.0.1", environment: [String: String] = [:],
        logLevel: String? = "debug", options: [String] = []
    ) throws -> Program {
        var all = [
            "TACTILE_BRIDGE_BLUETOOTH_BUS": bus.address.description,
            "TACTILE_BRIDGE_BLUETOOTH_JOIN": "always",
            "TACTILE_BRIDGE_BRIDGE_ID": "test", "TACTILE_BRIDGE_MQTT_HOST": host,
            "TACTILE_BRIDGE_MQTT_PORT": "\(broker.port)",
            "TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY": folder.file("state"),
        ]
        all.merge(environment) { $1 }
        return try Program(
            "tactile-bridge",
            ["run", "--config", file] + (logLevel.map { ["--log-level", $0] } ?? []) + options,
            environment: all)
    }

    /// Writes the bridge's configuration file and returns its path.
    @discardableResult
    func configure(_ text: String) throws -> String { try folder.write(text, to: "bridge.yaml") }

    /// Stops the bridge with a signal and returns its exit status.
    @discardableResult
    func endBridge(with signal: CInt) throws -> CInt { try #require(bridge).end(with: signal) }

    /// Kills the simulator, so that `org.bluez` leaves the bus without a clean end.
    func killSimulator() throws { try #require(simulator).end(with: SIGKILL) }

    /// Types a line into the simulator, for instance to act on a device.
    func act(_ line: String) throws { try #require(simulator).type(line) }

    /// Types lines into the simulator, and waits until it has processed all of them.
    func arrange(_ lines: [String]) throws {
        for line in lines { try act(line) }
        // The simulator answers an unknown line with an error after it has processed all earlier lines.
        try act("and?")
        try #require(simulator).expect("its answer") { $0["event"] == "error" }
    }

    /// Replaces the watcher by a new client, which receives the retained messages first.
    func watchAnew() throws -> Watcher {
        watcher = try Watcher(broker, isThere: true)
        return watcher
    }

    /// Stops the watcher, so that a flood of messages does not keep the machine busy.
    func stopWatching() { watcher.stop() }

    /// Starts the simulator and the bridge, and waits until the belt is online.
    static func withBelt(
        scenario: String? = nil, configuration: String = "", environment: [String: String] = [:],
        brokerLines: [String] = []
    ) throws -> Bench {
        let bench = try Bench(brokerLines: brokerLines)
        try bench.startSimulator(scenario: scenario)
        try bench.startBridge(configuration: configuration, environment: environment)
        try bench.watcher.expect("belt/availability", "online")
        return bench
    }

    /// Publishes with `mosquitto_pub`, as a user does in a shell.
    func publish(_ topic: String, _ payload: String, _ options: [String] = []) throws {
        try TestProcess.run(["mosquitto_pub"] + broker.arguments + ["-t", topic, "-m", payload] + options)
    }

    /// Sends a request with `mosquitto_rr`, as a user does in a shell, and returns the answer.
    func ask(_ topic: String, _ payload: String) throws -> JSON.Value {
        let text = try TestProcess.run(
            ["mosquitto_rr", "-V", "5", "-W", "10"] + broker.arguments
                + ["-t", topic, "-e", "answer/\(UInt32.random(in: 0...UInt32.max))", "-m", payload])
        return try JSON.Value(parsing: text.utf8)
    }
}

extension Bench {
    /// Sends a request and requires the status `ok`.
    func expectOK(_ topic: String, _ payload: String) throws {
        let answer = try ask(topic, payload)
        #expect(answer["status"] == "ok", "\(topic): \(answer)")
    }
}

/// One of the project's programs; a test reads its output line by line.
final class Program: Sendable {
    private let process: TestProcess
    private let transcript: Transcript?

    /// Starts the program.
    ///
    /// - Parameter isUnprivileged: Whether the program runs without root's capabilities, as it does for
    ///   users. This detects a missing right even where tests run as root.
    /// - Parameter transcript: A file that receives the whole output. With it the pipe is larger (1 MiB),
    ///   because the simulator blocks on a full pipe and the bridge drops lines.
    init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:],
        isUnprivileged: Bool = false, transcript: String? = nil
    ) throws {
        self.transcript = transcript.flatMap { Transcript($0) }
        process = try TestProcess(
            (isUnprivileged ? Self.withoutRights : []) + ["\(Self.folder)/\(name)"] + arguments,
            environment: environment, hasInput: true,
            room: transcript == nil ? nil : 1 << 20)
    }

    deinit {
        guard transcript != nil else { return }
        process.end(with: SIGKILL)
        while nextLine(within: .milliseconds(1)) != nil {}
    }

    /// The command (util-linux) that removes all capabilities from a program that root starts.
    private static let withoutRights =
        getuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-all", "--inh-caps=-all", "--"] : []

    /// The folder of the programs: `TACTILE_BRIDGE_BIN` if set, otherwise the build folder of the tests.
    static var folder: String {
        if let folder = getenv("TACTILE_BRIDGE_BIN") { return String(cString: folder) }
        return CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
    }

    /// The process identifier; nil after the program has exited.
    var pid: Int32? { process.pid }

    /// Waits until the program exits, and returns its exit status.
    func wait() -> CInt { process.end(with: nil) }

    /// The number of open file descriptors; nil after the program has exited.
    var openDescriptors: Int? { process.openDescriptors }

    /// The memory in use, in bytes: the whole resident memory, and the private part of it.
    var memory: (resident: Int, own: Int)? { process.memory }

    /// Whether Swift's libraries are linked statically, as in released programs; nil after the program has exited.
    var isReleased: Bool? { process.isReleased }

    /// The peak memory, in bytes; nil after the program has exited.
    var peakMemory: Int? { process.peakMemory }

    /// The processor time used so far.
    var processorTime: Duration? { process.processorTime }

    func type(_ line: String) throws { try process.write(line) }

    /// Returns the first line from here on that is a JSON object and meets the condition.
    @discardableResult
    func expect(
        _ what: String, within limit: Duration = .seconds(5), _ condition: (JSON.Value) -> Bool
    ) throws -> JSON.Value {
        let end = EventLoop.now + limit
        var last: [String] = []
        while let line = nextLine(within: end - EventLoop.now) {
            last = last.suffix(20) + [line]
            guard let value = try? JSON.Value(parsing: line.utf8), condition(value) else { continue }
            return value
        }
        throw Missing(what: what, seen: last)
    }

    /// Returns the first line from here on that contains a text.
    @discardableResult
    func expectLine(_ text: String, within limit: Duration = .seconds(5)) throws -> String {
        try expectLines([text], within: limit)
    }

    /// Waits until each of the texts has appeared in a line, in any order, and returns the last of these lines.
    @discardableResult
    func expectLines(_ texts: [String], within limit: Duration) throws -> String {
        let end = EventLoop.now + limit
        var (missing, last) = (texts, [String]())
        while let line = nextLine(within: end - EventLoop.now) {
            missing.removeAll { line.contains($0) }
            if missing.isEmpty { return line }
            last = last.suffix(20) + [line]
        }
        throw Missing(what: missing.joined(separator: ", "), seen: last)
    }

    /// Returns the next line of output; nil at the end of the output or after the time limit.
    func nextLine(within limit: Duration) -> String? {
        let line = process.nextLine(within: limit)
        if let line { transcript?.write(line) }
        return line
    }

    func send(_ signal: CInt) { process.send(signal) }

    /// Sends a signal to the program, but not to the `timeout` process around it.
    func sendAlone(_ signal: CInt) { process.sendAlone(signal) }

    /// Sends SIGHUP to reload the configuration, as `systemctl reload` does.
    func hangUp() { process.sendAlone(SIGHUP) }

    /// Ends the program with a signal and returns its exit status.
    @discardableResult
    func end(with signal: CInt) -> CInt { process.end(with: signal) }
}

/// The error of a test that waited in vain; it names what was expected.
struct Missing: Error, CustomStringConvertible {
    let what: String
    let seen: [String]

    var description: String { "waited in vain for \(what); last seen:\n  " + seen.joined(separator: "\n  ") }
}
