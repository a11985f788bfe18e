import DBus
import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

/// Everything that a user has, each part a process of its own: a broker, a bus with simulated devices, the
/// bridge, and a client that watches all topics.
final class Bench {
    let bus: PrivateBus
    let broker: TestBroker
    let folder: TemporaryDirectory
    private(set) var simulator: Program?
    private(set) var bridge: Program?
    private(set) var watcher: Watcher

    /// Starts the broker, the bus and the watcher; the simulator and the bridge when they are asked for.
    ///
    /// - Parameters:
    ///   - users: The names and passwords that the broker knows; anybody is let in if there are none.
    ///   - brokerLines: More lines of its configuration.
    ///   - keepsSessions: Whether the broker remembers its clients' sessions and what they are to get while it is
    ///     ended in an orderly way.
    ///   - busPolicy: Who may do what on the bus; everybody everything if nil.
    init(
        brokerRuns: Bool = true, brokerAddress: String = "127.0.0.1", users: [String: String] = [:],
        brokerLines: [String] = [], keepsSessions: Bool = false, busPolicy: String? = nil
    ) throws {
        bus = try PrivateBus(policy: busPolicy)
        folder = try TemporaryDirectory()
        var options = TestBroker.Options()
        options.address = brokerAddress
        // By default mosquitto drops what a slow watcher has not taken yet.
        options.lines = ["max_queued_messages 100000"] + brokerLines
        options.users = users
        if keepsSessions { options.lines += ["persistence true", "persistence_location \(folder.file(""))"] }
        broker = try TestBroker(options)
        if !brokerRuns { broker.kill() }
        watcher = try Watcher(broker, isThere: brokerRuns)
    }

    /// Makes another host at the broker of a bench: a bus of its own, and a bridge of its own.
    init(besides other: Bench) throws {
        bus = try PrivateBus(policy: nil)
        folder = try TemporaryDirectory()
        broker = other.broker
        watcher = other.watcher
    }

    /// Takes a broker that runs already.
    ///
    /// - Parameter watched: Where to watch, if not at the same one.
    init(at broker: TestBroker, watching watched: TestBroker? = nil) throws {
        bus = try PrivateBus(policy: nil)
        folder = try TemporaryDirectory()
        self.broker = broker
        watcher = try Watcher(watched ?? broker, isThere: true)
    }

    /// Starts the simulator with a scenario, with the devices of a recording, or with the default one.
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

    /// Starts the bridge with a configuration, joining whatever it finds unless told otherwise.
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

    /// Starts a bridge that ``endBridge(with:)`` does not end.
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

    /// Writes the bridge's configuration file, and returns where it lies.
    @discardableResult
    func configure(_ text: String) throws -> String { try folder.write(text, to: "bridge.yaml") }

    /// Ends the bridge with a signal and returns its exit status.
    @discardableResult
    func endBridge(with signal: CInt) throws -> CInt { try #require(bridge).end(with: signal) }

    /// Ends the simulator without a goodbye: `org.bluez` is gone.
    func killSimulator() throws { try #require(simulator).end(with: SIGKILL) }

    /// Does something to a simulated device, as a person at the simulator types it.
    func act(_ line: String) throws { try #require(simulator).type(line) }

    /// Does something to the simulator, and waits until it has taken all of it.
    func arrange(_ lines: [String]) throws {
        for line in lines { try act(line) }
        // It answers what it does not understand, behind all that came before.
        try act("and?")
        try #require(simulator).expect("its answer") { $0["event"] == "error" }
    }

    /// Watches anew, as a client that comes later: what is retained comes first.
    func watchAnew() throws -> Watcher {
        watcher = try Watcher(broker, isThere: true)
        return watcher
    }

    /// Watches no more: a flood of messages would only keep the machine busy.
    func stopWatching() { watcher.stop() }

    /// Starts simulator and bridge and waits until the belt is online.
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

    /// Publishes as a user does at a shell.
    func publish(_ topic: String, _ payload: String, _ options: [String] = []) throws {
        try TestProcess.run(["mosquitto_pub"] + broker.arguments + ["-t", topic, "-m", payload] + options)
    }

    /// Asks and waits for the answer, as a user does at a shell with `mosquitto_rr`.
    func ask(_ topic: String, _ payload: String) throws -> JSON.Value {
        let text = try TestProcess.run(
            ["mosquitto_rr", "-V", "5", "-W", "10"] + broker.arguments
                + ["-t", topic, "-e", "answer/\(UInt32.random(in: 0...UInt32.max))", "-m", payload])
        return try JSON.Value(parsing: text.utf8)
    }
}

extension Bench {
    /// Asks for something that must be done.
    func expectOK(_ topic: String, _ payload: String) throws {
        let answer = try ask(topic, payload)
        #expect(answer["status"] == "ok", "\(topic): \(answer)")
    }
}

/// One of the project's programs, whose output lines are read one after another.
final class Program: Sendable {
    private let process: TestProcess
    private let transcript: Transcript?

    /// Starts it.
    ///
    /// - Parameter isUnprivileged: Whether root's rights are taken from it, as its users run it: what needs one must not
    ///   go unnoticed where tests run as root.
    /// - Parameter transcript: A file that keeps all that it writes, if any does. It may then write a lot
    ///   before
    ///   a test reads it: the simulator waits for its reader, and the bridge drops lines.
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

    /// What takes the capabilities from a program that root starts (util-linux).
    private static let withoutRights =
        getuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-all", "--inh-caps=-all", "--"] : []

    /// Where the programs are: what is to be tested if the environment names it, else what was built with the
    /// tests.
    static var folder: String {
        if let folder = getenv("TACTILE_BRIDGE_BIN") { return String(cString: folder) }
        return CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
    }

    /// Its process identifier; nil when it has ended.
    var pid: Int32? { process.pid }

    /// Waits for its end and returns its exit status.
    func wait() -> CInt { process.end(with: nil) }

    /// How many descriptors it has open; nil when it has ended.
    var openDescriptors: Int? { process.openDescriptors }

    /// The memory that it has in use, in bytes: all, and what of it is its own.
    var memory: (resident: Int, own: Int)? { process.memory }

    /// Whether Swift's libraries are in the program itself, as in the released ones; nil when it has ended.
    var isReleased: Bool? { process.isReleased }

    /// The most memory that it had in use at once, in bytes; nil when it has ended.
    var peakMemory: Int? { process.peakMemory }

    /// The time that it has kept processors busy.
    var processorTime: Duration? { process.processorTime }

    /// Writes a line to its standard input.
    func type(_ line: String) throws { try process.write(line) }

    /// Returns the first line from here on that is a JSON object for which the condition holds.
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

    /// Waits for lines that contain these texts, in any order; returns the last one.
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

    /// The next line that it wrote; nil at its end, or if none came in time.
    func nextLine(within limit: Duration) -> String? {
        let line = process.nextLine(within: limit)
        if let line { transcript?.write(line) }
        return line
    }

    func send(_ signal: CInt) { process.send(signal) }

    /// Sends a signal to it and not to what watches over its time.
    func sendAlone(_ signal: CInt) { process.sendAlone(signal) }

    /// Tells it to read its configuration anew, as `systemctl reload` does.
    func hangUp() { process.sendAlone(SIGHUP) }

    /// Ends it with a signal and returns its exit status.
    @discardableResult
    func end(with signal: CInt) -> CInt { process.end(with: signal) }
}

/// Says what a test waited for in vain.
struct Missing: Error, CustomStringConvertible {
    let what: String
    let seen: [String]

    var description: String { "waited in vain for \(what); last seen:\n  " + seen.joined(separator: "\n  ") }
}
