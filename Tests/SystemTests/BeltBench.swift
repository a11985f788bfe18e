import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

/// A bench with one belt that vibrates in any of its modes. It measures the time until the belt is silent.
final class BeltBench {
    /// The command that makes the belt vibrate.
    enum Kind: String, CaseIterable, Sendable {
        /// The longest vibration that a belt accepts: more than two hours.
        case vibrate = #"vibrate {"channel":0,"motor":6,"iterations":127,"period_ms":65535}"#
        /// 400 ms of every 500 ms, for nearly ten minutes.
        case pulse =
            #"pulse {"channel":0,"motor":6,"on_ms":400,"pulses":9,"iterations":127,"pulse_period_ms":500}"#
        /// 500 ms of every 700 ms, three times.
        case criticalWarning = "notify critical_warning"
        /// Requires app mode, or enters it from another mode.
        case endless = #"vibrate {"channel":3,"motor":6,"enter_app_mode":true}"#
    }

    /// The event that must silence the belt.
    enum Cause: String, CaseIterable, Sendable {
        case stop = "belt/stop/set"
        case allStop = "all/stop/set"
        case sleep = "the host is going to sleep"
        case terminate = "SIGTERM"
        case kill = "SIGKILL, by the guardian"
    }

    static let modes = ["wait", "compass", "crossing", "pause", "app"]
    /// How long nothing may change before the belt counts as silent: longer than the pauses of each vibration.
    private static let quiet = Duration.milliseconds(700)
    private static let choices = "wait_signal: off"

    let bench: Bench
    let belt: Program
    private let stop: Publisher
    private let allStop: Publisher
    private let other: Publisher
    private var login: Login?
    private var mode = "wait"
    /// The motors that run at present.
    private var felt: [Int] = []
    private var lastNumber = 0

    /// Starts all programs except the simulated logind.
    ///
    /// - Parameter choices: Additional settings of the belt.
    convenience init(choices: String = "") throws {
        try self.init(Bench(), choices)
    }

    /// Starts all programs, including the simulated logind.
    init(loop: EventLoop) async throws {
        bench = try Bench()
        login = try await Login(bench.bus.address, loop: loop)
        (belt, stop, allStop, other) = try Self.start(bench, "")
    }

    private init(_ bench: Bench, _ choices: String) throws {
        self.bench = bench
        (belt, stop, allStop, other) = try Self.start(bench, choices)
    }

    private static func start(
        _ bench: Bench, _ choices: String
    ) throws -> (Program, Publisher, Publisher, Publisher) {
        let all = [Self.choices, choices].filter { !$0.isEmpty }.joined(separator: ", ")
        let belt = try bench.startSimulator(
            scenario: "bluez: { disconnect_time: 50ms }\ndevices: { belt: { choices: { \(all) } } }")
        try bench.startBridge()
        try bench.watcher.expect("belt/availability", "online")
        return (
            belt, try Publisher(bench.broker, "belt/stop/set", qos: 1),
            try Publisher(bench.broker, "all/stop/set", qos: 1),
            try Publisher(bench.broker, "belt/intensity/set")
        )
    }

    /// The motors that the belt's own compass drives at heading 0.
    private var own: [Int] { ["compass", "crossing"].contains(mode) ? [0] : [] }

    // MARK: Steps

    /// Switches the belt to a mode in which only its own compass may vibrate.
    func enter(_ mode: String) throws {
        try bench.expectOK("belt/mode/set", mode)
        self.mode = mode
        _ = try silence(since: EventLoop.now, "mode \(mode)", quiet: .milliseconds(50))
    }

    /// Starts a vibration, and waits until the belt reports it.
    func begin(_ kind: Kind) throws {
        let words = kind.rawValue.split(separator: " ", maxSplits: 1).map { String($0) }
        try bench.expectOK("belt/\(words[0])/set", words[1])
        if kind == .endless { mode = "app" }
        try belt.expect("\(kind) in mode \(mode)") { line in
            note(line)
            return line["event"] == "feel" && !felt.isEmpty && felt != own
        }
    }

    private func note(_ line: JSON.Value) {
        guard line["event"] == "feel" else { return }
        felt = line["motors"]?.array?.compactMap { $0["motor"]?.integer } ?? []
    }

    /// Waits until only the belt's own compass vibrates.
    ///
    /// - Returns: The time since `start`.
    func silence(since start: Duration, _ what: String, quiet: Duration = quiet) throws -> Duration {
        var time = Duration.zero
        var last = EventLoop.now
        let end = EventLoop.now + .seconds(10)
        while EventLoop.now < end {
            guard let report = belt.nextReport(within: last + quiet - EventLoop.now) else {
                if felt == own { return time }
                last = EventLoop.now
                continue
            }
            guard report["event"] == "feel" else { continue }
            note(report)
            last = EventLoop.now
            time = last - start
        }
        throw Missing(what: "silence: \(what)", seen: ["motors \(felt) run, \(own) are the belt's own"])
    }

    /// Starts a vibration and triggers a cause to silence it.
    ///
    /// - Returns: How long the belt vibrated after the cause.
    func measure(_ cause: Cause, _ kind: Kind, in mode: String) async throws -> Duration {
        try enter(mode)
        try begin(kind)
        let start = EventLoop.now
        let what = "\(mode), \(kind), \(cause.rawValue)"
        let isPaused = self.mode == "pause"
        switch cause {
        case .stop, .allStop:
            if cause == .allStop, !own.isEmpty { self.mode = "wait" }
            try send(cause)
        case .sleep: try await login?.prepareForSleep(true)
        case .terminate:
            bench.bridge?.send(SIGTERM)
            if self.mode == "app" { self.mode = "wait" }
        case .kill:
            try bench.endBridge(with: SIGKILL)
            if self.mode == "app" { self.mode = "wait" }
        }
        let time = try silence(since: start, what)
        switch cause {
        case .stop, .allStop:
            let topic = cause == .stop ? "belt/result" : "all/result"
            let answer = try bench.watcher.expect(topic) { $0.json["id"]?.integer == lastNumber }.json
            #expect(answer["status"] == "ok", "\(what): \(answer)")
            #expect((answer["confirmed"] == false) == isPaused, "\(what): \(answer)")
        case .sleep:
            try await login?.prepareForSleep(false)
            try awaitBridge()
        case .terminate:
            #expect(try bench.endBridge(with: SIGTERM) == 0, "\(what)")
            try restart()
        case .kill: try restart()
        }
        return time
    }

    /// Sends a stop over an existing connection.
    private func send(_ cause: Cause) throws {
        lastNumber += 1
        try (cause == .stop ? stop : allStop).send(#"{"id":\#(lastNumber)}"#)
    }

    private func restart() throws {
        try bench.startBridge()
        try bench.watcher.expect("belt/availability", "online", within: .seconds(20))
    }

    /// Waits until the bridge has reconnected after the host's sleep: earlier messages are lost.
    private func awaitBridge() throws {
        for _ in 0..<40 {
            lastNumber += 1
            try other.send(#"{"intensity":50,"feedback":false,"id":\#(lastNumber)}"#)
            let answer = try? bench.watcher.expect("belt/result", within: .milliseconds(500)) {
                $0.json["id"]?.integer == lastNumber
            }
            if answer != nil { return }
        }
        throw Missing(what: "the bridge after the host's sleep", seen: [])
    }
}
