import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Stops through the console", .serialized)
struct ConsoleStopTests {
    @Test(
        "A stop with an unreadable device stops all devices",
        arguments: [
            #"{"device":""}"#, #"{"device":"$robot"}"#, #"{"device":"robot/+"}"#, #"{"device":7}"#,
            "nonsense", "",
            "{\"device\":\"\(String(repeating: "r", count: 600))\"}",
        ])
    func unreadable(_ body: String) throws {
        let it = try ConsoleBench(Bench())
        let cookie = try it.login()
        let answer = try ConsolePage.ask(
            it.port, "POST", "/api/stop", body: body, headers: ["Cookie": cookie])
        #expect(answer.status == 204)
        try it.bench.watcher.expect("all/stop/set")
        guard body.hasPrefix("{") else { return }
        try it.open(cookie).frame(1, Array("{\"type\":\"stop\",\(body.dropFirst())".utf8))
        try it.bench.watcher.expect("all/stop/set")
    }

    @Test(
        "A stop reports which bridges have answered; a stop of an unknown name is sent and answered with 404")
    func confirmed() throws {
        let bench = try Bench()
        try bench.startSimulator(scenario: "devices: { belt: }")
        let bridge = try bench.startBridge()
        try bench.watcher.expect("belt/availability", "online")
        let it = try ConsoleBench(bench)
        let cookie = try it.login()
        let page = try it.open(cookie)
        page.send(["type": "watch", "filters": ["bridge/+/devices"]])
        _ = try page.expectMessage("bridge/test/devices")
        func stop(_ body: String) throws -> (status: Int, said: JSON.Value?) {
            let answer = try ConsolePage.ask(
                it.port, "POST", "/api/stop", body: body, headers: ["Cookie": cookie])
            return (answer.status, try? JSON.Value(parsing: answer.body.utf8))
        }
        /// Repeats a stop as the page does: on a busy machine a bridge may answer after the console's time limit.
        func confirm(_ body: String) throws -> (status: Int, said: JSON.Value?) {
            var answer = try stop(body)
            for _ in 0..<10 where answer.said?["confirmed"] != true { answer = try stop(body) }
            return answer
        }
        for body in [#"{"id":"1"}"#, #"{"id":"2","device":"belt"}"#] {
            let answer = try confirm(body)
            #expect(answer.status == 200 && answer.said?["confirmed"] == true, "\(answer)")
            #expect(answer.said?["silent"] == [])
        }
        page.send(["type": "stop", "id": "3"])
        let told = try page.expect("the answer") { message in
            guard message["type"] == "stopped" else { return false }
            if message["confirmed"] != true { page.send(["type": "stop", "id": "3"]) }
            return message["confirmed"] == true
        }
        #expect(told["confirmed"] == true && told["id"] == "3" && told["bridges"] == ["test"])
        #expect(try stop(#"{"device":"belt"}"#).status == 204)

        let ghost = try ConsolePage.ask(
            it.port, "POST", "/api/stop", body: #"{"device":"ghost"}"#, headers: ["Cookie": cookie])
        #expect(ghost.status == 404 && ghost.body.contains("no device or group has the name ghost"))
        try bench.watcher.expect("ghost/stop/set")

        bridge.sendAlone(SIGSTOP)
        let silent = try stop(#"{"id":"4"}"#)
        bridge.sendAlone(SIGCONT)
        #expect(silent.status == 200 && silent.said?["confirmed"] == false, "\(silent)")
        #expect(silent.said?["silent"] == ["test"])
        #expect(try confirm(#"{"id":"4"}"#).said?["confirmed"] == true)
    }

    @Test("A held stick moves the robot once the quiet period after a stop is over")
    func quietPeriod() throws {
        let bench = try RobotBench()
        let it = try ConsoleBench(bench.bench, console: "roles: { \"*\": [viewer, operator, driver] }")
        let page = try it.open(try it.login())
        try bench.bench.publish("robot/drive/set", RobotBench.fullSpeed)
        try bench.robot.expectWheels(turning: true)
        page.send(["type": "stop", "device": "robot"])
        try bench.expectRest(since: EventLoop.now, within: .seconds(1), weapon: false, "stop")
        // The stick is pressed at once and held: the maximum lease was 2 s.
        page.send(["type": "press", "device": "robot", "hold": "a"])
        let (begin, end) = (EventLoop.now, EventLoop.now + .seconds(6))
        var turns = false
        while !turns, EventLoop.now < end {
            let tick = try page.expect("a tick") { $0["type"] == "tick" }
            var drive: JSON.Object = ["type": "drive", "device": "robot", "hold": "a", "x": 0.0, "y": 1.0]
            drive["tick"] = tick["n"]
            page.send(.object(drive))
            while let report = bench.robot.nextReport(within: .milliseconds(5)) {
                guard report["event"] == "wheels" else { continue }
                turns = ["left_front", "right_front"].contains { report[$0] != 0 }
            }
        }
        #expect(turns, "the stick that is held keeps the robot standing")
        print("the held stick moves the robot \(EventLoop.now - begin) after the stop")
    }
}
