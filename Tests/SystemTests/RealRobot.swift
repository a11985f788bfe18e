import EventLoop
import HostTesting
import JSON
import Testing

/// The robot of a bench with real BlueZ, driven over existing connections: the start time of a program must not count.
final class RealRobot {
    private let bench: RealBench
    private let power: Publisher
    private let drive: Publisher
    private let stop: Publisher
    private let emergencyStop: Publisher
    private var lastNumber = 0

    init(_ bench: RealBench) throws {
        self.bench = bench
        power = try Publisher(bench.broker, "robot/power/set")
        drive = try Publisher(bench.broker, "robot/drive/set")
        stop = try Publisher(bench.broker, "robot/stop/set")
        emergencyStop = try Publisher(bench.broker, "robot/emergency_stop/set")
        // An answer shows that its publisher is connected.
        for publisher in [power, drive] { try answer(publisher, ["speed": 2]) }
        for publisher in [stop, emergencyStop] { try answer(publisher) }
    }

    /// Switches the power on and drives at full speed; returns the time of sending, with the wheels turning.
    ///
    /// Repeats this if needed: a bridge that was late stops the robot and rejects drives for a while. Delays
    /// are common on a machine that emulates every instruction.
    @discardableResult
    func race(lease: Int = 5000) throws -> Duration {
        var answers: [String] = []
        for _ in 0..<10 {
            try Watcher.expectOpenRobot(bench.broker, within: .seconds(60))
            let switched = try answer(power, ["power": true])
            let start = EventLoop.now
            let driven = try answer(drive, ["direction": 90, "speed": 1, "duration_ms": .integer(lease)])
            guard driven["status"] == "ok" else {
                answers += ["\(switched)", "\(driven)"]
                continue
            }
            try bench.simulator.expectWheels(turning: true, within: .seconds(20))
            return start
        }
        throw Missing(what: "turning wheels", seen: answers)
    }

    /// Stops the robot at full speed and returns the time until it stood still.
    ///
    /// - Parameters:
    ///   - reason: The reason that the status must contain, or nil if the bridge cannot report one. The
    ///     measurement is repeated if the bridge was late.
    ///   - lease: The lease of the drive command; by default too long to be what stops the robot.
    ///   - act: Causes the stop, and returns the time of it.
    func measure(
        _ what: String, by reason: String?, within limit: Duration = .seconds(3), lease: Int = 5000,
        _ act: (_ driven: Duration) throws -> Duration
    ) throws {
        var others: [String] = []
        for _ in 0..<5 {
            let start = try act(race(lease: lease))
            try bench.simulator.expectWheels(turning: false, within: .seconds(20))
            let time = EventLoop.now - start
            if let reason {
                let status = try bench.watcher.expect("robot/status", within: .seconds(20)) {
                    $0.json["moving"] == false && $0.json["stopped_by"]?.string != nil
                }
                guard status.json["stopped_by"]?.string == reason else {
                    others.append("\(status)")
                    continue
                }
            }
            bench.note("\(what): the robot stands after \(time)")
            #expect(time < limit, "\(what)")
            return
        }
        throw Missing(what: "a stop by \(reason ?? "")", seen: others)
    }

    func sendStop() throws -> Duration { try stop.send("{}") }
    func sendEmergencyStop() throws -> Duration { try emergencyStop.send("{}") }

    /// Reads reports for a time in which no wheel may turn.
    func expectStillness(for time: Duration = .seconds(1), _ what: String) {
        let end = EventLoop.now + time
        while let report = bench.simulator.nextReport(within: end - EventLoop.now) {
            guard report["event"] == "wheels" else { continue }
            let names = ["left_front", "right_front", "left_rear", "right_rear"]
            #expect(names.allSatisfy { report[$0] == 0 }, "\(what): \(report)")
        }
    }

    @discardableResult
    private func answer(_ publisher: Publisher, _ payload: JSON.Object = [:]) throws -> JSON.Value {
        lastNumber += 1
        let id = JSON.Value.integer(lastNumber)
        var payload = payload
        payload["id"] = id
        for _ in 0..<2 {
            try publisher.send("\(JSON.Value.object(payload))")
            let answer = try? bench.watcher.expect("robot/result", within: .seconds(15)) {
                $0.json["id"] == id
            }
            if let answer { return answer.json }
        }
        throw Missing(
            what: "the answer to \(JSON.Value.object(payload))",
            seen: bench.watcher.seen.suffix(30).map(\.description))
    }
}
