import EventLoop
import Glibc
import HostTesting
import JSON

/// A running soak: its programs, and the ledgers of its actions.
final class Soak {
    let bench: Bench
    var bridge: Program
    var simulator: Program
    let listener: Listener
    let commander: Commander
    /// Publishes drives separately, so that they do not wait for other commands.
    let driver: Commander

    var fleet = Fleet()
    var commands = CommandLedger()
    var events = EventLedger()
    var taps = TapLedger()
    var wheels = WheelLedger()
    var history = History()
    /// Devices that the bridge disconnected on request. It is unknown whether a later connect request arrived.
    var released: Set<Fleet.Device> = []
    var stats: JSON.Value = .null
    var statsCount = 0
    /// The number of actions of each kind.
    var actions: [String: Int] = [:]
    /// The number of answers with each code.
    var codes: [String: Int] = [:]
    /// The last log lines of the bridge, and its errors.
    private(set) var log: [String] = []
    private(set) var errors: [String] = []
    /// The number of device events, excluding answers.
    private(set) var arrivals = 0
    /// How often the bridge was late, which a busy machine may cause.
    private(set) var latenesses = 0
    private let seed: UInt64
    private var marks: Set<String> = []
    private var lastMark = 0

    init(seed: UInt64) throws {
        self.seed = seed
        bench = try Bench(keepsSessions: true)
        // Only the bridge may subscribe to commands, so that the broker's acknowledgments show whether it
        // received them.
        bench.stopWatching()
        simulator = try bench.startSimulator(scenario: Fleet.scenario(seed: seed))
        listener = try Listener(bench.broker)
        commander = try Commander(bench.broker)
        driver = try Commander(bench.broker)
        bridge = try bench.startBridge(
            configuration: fleet.configuration,
            environment: [
                "TACTILE_BRIDGE_BLUETOOTH_JOIN": "configured", "TACTILE_BRIDGE_BRIDGE_STATS_INTERVAL_S": "1",
            ], logLevel: nil)
    }

    /// Reads all output until a time, or until a condition is met.
    @discardableResult
    func attend(until end: Duration, or isDone: () -> Bool = { false }) -> Bool {
        while !isDone() {
            guard EventLoop.now < end else { return isDone() }
            while let message = listener.next(within: .milliseconds(1)) { take(message) }
            while let line = simulator.nextLine(within: .milliseconds(1)) { takeReport(line) }
            while let line = bridge.nextLine(within: .milliseconds(1)) { takeLog(line) }
            while let (number, delivery) = commander.next(within: .milliseconds(1)) {
                commands.published(number, delivery)
            }
            while let (number, delivery) = driver.next(within: .milliseconds(1)) {
                commands.published(number, delivery)
                wheels.passed(number, at: EventLoop.now)
            }
        }
        return true
    }

    /// Waits until the simulator has processed all earlier lines.
    func catchUpWithSimulator() throws {
        lastMark += 1
        let mark = "mark-\(lastMark)"
        try bench.act(mark)
        guard attend(until: EventLoop.now + .seconds(120), or: { marks.contains(mark) }) else {
            throw Missing(what: "the simulator's answer", seen: [])
        }
        taps.settle()
    }

    private func take(_ message: Listener.Message) {
        let levels = message.topic.split(separator: "/").map(String.init)
        guard !message.isRetained, levels.count >= 2, let json = message.json else { return }
        if message.topic == "bridge/test/stats" {
            stats = json
            statsCount += 1
        }
        if levels[0] == "answer" || levels.contains("result") || levels.contains("response") {
            noteAnswer(json, message)
        }
        guard levels.count == 2, levels[0] != "all", levels[0] != "answer", let number = json["seq"]?.integer
        else { return }
        let device = Fleet.devices.first { $0.name == levels[0] || $0.otherName == levels[0] }
        let isNew = events.note(
            message.topic, number: number, payload: message.payload, mayRestart: device?.isMovable ?? false)
        if isNew, levels[1] != "result" { arrivals += 1 }
        guard isNew, levels[1] == "tapped", let device, let combination = json["combination"]?.integer
        else { return }
        taps.publish(device.name, combination)
    }

    private func noteAnswer(_ json: JSON.Value, _ message: Listener.Message) {
        guard let number = Int(message.correlation) ?? json["id"]?.integer else { return }
        codes[json["code"]?.string ?? json["status"]?.string ?? "?", default: 0] += 1
        commands.answered(number, "\(message.topic) \(message.payload)")
    }

    private func takeReport(_ line: String) {
        guard let report = try? JSON.Value(parsing: line.utf8) else { return }
        switch report["event"]?.string {
        case "link", "mode": history.note(line, of: report["device"]?.string, at: EventLoop.now)
        case "error":
            let message = report["message"]?.string ?? ""
            guard let mark = message.split(separator: "'").dropFirst().first.map(String.init),
                mark.hasPrefix("mark-")
            else { return }
            marks.insert(mark)
        case "unheard":
            let words = report["what"]?.string?.split(separator: " ") ?? []
            guard words.first == "tap", words.count == 2 else { return }
            noteUnheard(report, Int(words[1]))
        // A keyboard sends a key to the host only; the bridge receives nothing.
        case "key": noteUnheard(report, report["combination"]?.integer)
        case "wheels":
            let names = ["left_front", "right_front", "left_rear", "right_rear"]
            guard let device = report["device"]?.string, let time = report["time"]?.double else { return }
            wheels.wheels(
                device, turning: names.contains { report[$0] != 0 },
                at: .milliseconds(Int64((time * 1000).rounded())))
        default: break
        }
    }

    private func noteUnheard(_ report: JSON.Value, _ combination: Int?) {
        guard let device = report["device"]?.string, let combination else { return }
        taps.unheard(device, combination)
    }

    private func takeLog(_ line: String) {
        log = log.suffix(300) + [line]
        let device = line.split(separator: " ").first { $0.hasPrefix("device=") }?.dropFirst("device=".count)
        history.note(line, of: device.map(String.init), at: EventLoop.now)
        let level = line.split(separator: " ", maxSplits: 3).dropFirst(2).first ?? ""
        if level == "error" || level == "critical" { errors.append(line) }
        if line.contains("the bridge was delayed") { latenesses += 1 }
        // A bridge that was late reconnects too: messages in transit are lost as if the broker had ended.
        if line.contains("connected to the broker") { commands.connectionEnded() }
    }

    /// Kills the simulator, and starts the next one.
    func replaceSimulator() throws {
        try catchUpWithSimulator()
        // The answer follows all earlier signals of the simulator, so that they are delivered before it is killed.
        try callBlueZ("/", "org.freedesktop.DBus.Peer.Ping")
        try bench.killSimulator()
        try awaitNoBlueZ()
        wheels.replaced()
        simulator = try bench.startSimulator(scenario: Fleet.scenario(seed: seed))
    }
}
