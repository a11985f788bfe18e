import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite(
    "A belt outside app mode is silenced through the distribution's bluetoothd", .serialized,
    .enabled(if: RealBench.isThere, RealBench.remark))
struct RealBlueZBeltTests {
    /// More than two hours on channel 0, with motor 6.
    private static let vibration = #"{"channel":0,"motor":6,"iterations":127,"period_ms":65535}"#
    private static let modes = ["wait", "compass", "crossing", "pause"]

    @Test("belt/stop/set, all/stop and the will after kill -9 silence the belt in every mode")
    func silence() throws {
        let bench = try RealBench(
            scenario: "devices: { belt: { kind: belt, choices: { pairing: anytime, wait_signal: off } } }",
            configuration: "devices: { belt: { family: belt, address: \"02:B1:7E:00:00:01\" } }\n")
        try bench.watcher.expect("belt/availability", "online", within: .seconds(90))
        for topic in ["belt/stop/set", "all/stop/set"] {
            let stop = try Publisher(bench.broker, topic)
            // The publisher's first message arrives only after it has connected.
            try answer(bench, stop, topic)
            for (id, mode) in Self.modes.enumerated() {
                try begin(bench, mode)
                let time = try expectSilence(
                    bench, since: stop.send(#"{"id":\#(id)}"#), "\(topic), mode \(mode)")
                #expect(time < .seconds(2))
                let answer = try bench.watcher.expect(
                    topic == "all/stop/set" ? "all/result" : "belt/result", within: .seconds(20)
                ) { $0.json["id"]?.integer == id }.json
                #expect(answer["status"] == "ok", "\(answer)")
                #expect((answer["confirmed"] == false) == (mode == "pause"), "\(answer)")
            }
        }
        for mode in Self.modes {
            try begin(bench, mode)
            let start = EventLoop.now
            bench.bridge.end(with: SIGKILL)
            let time = try expectSilence(bench, since: start, "kill -9, mode \(mode)")
            #expect(time < .seconds(2))
            try bench.startBridge()
            try bench.watcher.expect("belt/availability", "online", within: .seconds(90))
        }
    }

    private func answer(_ bench: RealBench, _ publisher: Publisher, _ topic: String) throws {
        for _ in 0..<10 {
            try publisher.send(#"{"id":-1}"#)
            let result = topic == "all/stop/set" ? "all/result" : "belt/result"
            let answer = try? bench.watcher.expect(result, within: .seconds(5)) { $0.json["id"] == -1 }
            if answer != nil { return }
        }
        throw Missing(what: "an answer to \(topic)", seen: bench.watcher.seen.suffix(20).map(\.description))
    }

    /// Switches the belt to a mode and starts a vibration.
    private func begin(_ bench: RealBench, _ mode: String) throws {
        for (topic, payload) in [("belt/mode/set", mode), ("belt/vibrate/set", Self.vibration)] {
            let answer = try bench.ask(topic, payload)
            #expect(answer["status"] == "ok", "\(topic) \(payload): \(answer)")
        }
        try bench.simulator.expect("the vibration", within: .seconds(20)) { $0.runsMotor(6) == true }
    }

    /// Waits until motor 6 has been still for a second; returns how long it took.
    private func expectSilence(_ bench: RealBench, since start: Duration, _ what: String) throws -> Duration {
        try bench.simulator.expect("silence: \(what)", within: .seconds(20)) { $0.runsMotor(6) == false }
        let time = EventLoop.now - start
        bench.note("\(what): the belt is silent after \(time)")
        let end = EventLoop.now + .seconds(1)
        while let report = bench.simulator.nextReport(within: end - EventLoop.now) {
            #expect(report.runsMotor(6) != true, "\(what): \(report)")
        }
        return time
    }
}

extension JSON.Value {
    /// Whether this motor runs in a belt's vibration report; nil for another report.
    fileprivate func runsMotor(_ motor: Int) -> Bool? {
        guard self["event"] == "feel" else { return nil }
        return self["motors"]?.array?.contains { $0["motor"]?.integer == motor }
    }
}
