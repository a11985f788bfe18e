import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Driving from the console", .serialized)
struct ConsoleDrivingTests {
    private static let roles = "roles: { \"*\": [viewer, operator, driver] }"

    /// A robot with its power on, and a page that may drive it.
    private struct Wheel {
        let bench: RobotBench
        let console: ConsoleBench
        let cookie: String
        let page: ConsolePage

        init() throws {
            // A shorter maximum lease lets a bridge that has just started allow motion sooner.
            bench = try RobotBench(configuration: "robot: { max_lease_ms: 500 }")
            console = try ConsoleBench(bench.bench, console: ConsoleDrivingTests.roles)
            cookie = try console.login()
            page = try console.open(cookie)
        }

        /// Reads the robot's reports so far, and requires that the wheels turn at the end of them.
        func expectTurning() throws {
            var turns = false
            while let report = bench.robot.nextReport(within: .milliseconds(20)) {
                guard report["event"] == "wheels" else { continue }
                turns = ["left_front", "right_front", "left_rear", "right_rear"].contains { report[$0] != 0 }
            }
            try #require(turns)
        }

        /// Presses and holds the stick: sends a drive for each tick.
        ///
        /// - Returns: The number of drives sent, and all received messages except ticks.
        @discardableResult
        func hold(for time: Duration, on page: ConsolePage? = nil, _ press: String = "a") throws -> (
            drives: Int, seen: [JSON.Value]
        ) {
            let page = page ?? self.page
            page.send(["type": "press", "device": "robot", "hold": .string(press), "take_over": true])
            let begin = EventLoop.now
            var count = 0
            var seen: [JSON.Value] = []
            while EventLoop.now - begin < time {
                let tick = try page.expect("a tick") {
                    seen.append($0)
                    return $0["type"] == "tick"
                }
                var drive: JSON.Object = [
                    "type": "drive", "device": "robot", "hold": .string(press), "x": 0.0, "y": 1.0,
                ]
                drive["tick"] = tick["n"]
                if count == 0 { drive["id"] = "first" }
                page.send(.object(drive))
                count += 1
            }
            return (count, seen)
        }
    }

    @Test("A held stick drives; after the hold ends for any reason, the wheels stand until a new press")
    func walk() throws {
        let it = try Wheel()
        try release(it)
        try cut(it)
        try late(it)
        try two(it)
        try halted(it)
        try dead(it)
    }

    private func release(_ it: Wheel) throws {
        let (drives, seen) = try it.hold(for: .seconds(1))
        #expect((9...12).contains(drives))
        let answer = seen.first { $0["type"] == "answer" }
        #expect(answer?["id"] == "first" && answer?["response"]?["status"] == "ok", "\(seen)")
        #expect(try #require(seen.first { $0["type"] == "round_trip" }?["ms"]?.double) < 100)
        try it.expectTurning()
        it.page.send(["type": "release", "device": "robot", "hold": "a"])
        try it.bench.expectRest(
            since: EventLoop.now, within: .milliseconds(300), weapon: false, "release")
        try it.page.expect("the end of the hold") {
            $0["type"] == "hold_over" && $0["reason"] == "released"
        }
    }

    /// After the required standstill a new press drives again; then the page's socket is cut.
    private func cut(_ it: Wheel) throws {
        let page = try it.console.open(it.cookie)
        try it.hold(for: .milliseconds(900), on: page, "b")
        try it.expectTurning()
        page.cut()
        try it.bench.expectRest(
            since: EventLoop.now, within: .milliseconds(300), weapon: false, "a socket that is cut")
    }

    /// A page that freezes is stopped, and the messages that it sends late move nothing.
    private func late(_ it: Wheel) throws {
        try it.hold(for: .milliseconds(900), "c")
        try it.expectTurning()
        try it.bench.expectRest(
            since: EventLoop.now, within: .milliseconds(600), weapon: false, "silence")
        try it.page.expect("the end of the hold") { $0["type"] == "hold_over" && $0["reason"] == "late" }
        for tick in 1...40 {
            it.page.send([
                "type": "drive", "device": "robot", "hold": "c", "tick": .integer(tick), "x": 0.0, "y": 1.0,
            ])
        }
        try it.page.expect("a refusal") { $0["type"] == "refused" && $0["code"] == "no_stick" }
        it.bench.expectStillness(for: .milliseconds(500), "a burst")
    }

    /// Of two drivers one drives; the other may take over, and everyone may stop.
    private func two(_ it: Wheel) throws {
        try it.hold(for: .milliseconds(300), "d")
        let second = try it.console.open(it.cookie)
        try second.expect("the stick") {
            $0["type"] == "stick" && $0["yours"] == false && $0["holder"] != .null
        }
        second.send(["type": "press", "device": "robot", "hold": "e"])
        try second.expect("a refusal") { $0["type"] == "refused" && $0["code"] == "no_stick" }
        try it.hold(for: .milliseconds(900), on: second, "e")
        try it.page.expect("the end of the hold") { $0["type"] == "hold_over" && $0["reason"] == "taken" }
        try it.expectTurning()
        let answer = try ConsolePage.ask(
            it.console.port, "POST", "/api/stop", headers: ["Cookie": it.cookie])
        #expect(answer.status == 204)
        try it.bench.expectRest(since: EventLoop.now, within: .milliseconds(300), weapon: false, "stop")
        try second.expect("the end of the hold") { $0["type"] == "hold_over" && $0["reason"] == "stopped" }
        // A stop of all devices also switches the power off.
        try it.bench.powerOn()
    }

    /// With a frozen console the robot stops at the end of its lease, and nothing moves after the console resumes.
    private func halted(_ it: Wheel) throws {
        let page = try it.console.open(it.cookie)
        try it.hold(for: .milliseconds(600), on: page, "g")
        try it.expectTurning()
        it.console.program.sendAlone(SIGSTOP)
        let since = EventLoop.now
        try it.bench.expectRest(since: since, within: .milliseconds(500), weapon: false, "a halted console")
        for tick in 1...40 {
            page.send([
                "type": "drive", "device": "robot", "hold": "g", "tick": .integer(tick), "x": 0.0, "y": 1.0,
            ])
        }
        it.console.program.sendAlone(SIGCONT)
        try page.expect("the end of the hold") { $0["type"] == "hold_over" }
        it.bench.expectStillness(for: .milliseconds(500), "a console that goes on")
    }

    /// With a killed console the robot stops at the end of its lease.
    private func dead(_ it: Wheel) throws {
        let page = try it.console.open(it.cookie)
        try it.hold(for: .milliseconds(600), on: page, "f")
        try it.expectTurning()
        _ = it.console.program.end(with: SIGKILL)
        try it.bench.expectRest(
            since: EventLoop.now, within: .milliseconds(500), weapon: false, "a killed console")
    }
}
