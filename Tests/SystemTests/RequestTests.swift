import EventLoop
import HostTesting
import JSON
import Testing

@Suite("The life of a device over MQTT alone", .serialized)
struct RequestTests {
    private func start() throws -> Bench {
        let bench = try Bench()
        try bench.startSimulator()
        try bench.startBridge(environment: ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "permit"])
        try bench.watcher.expect("bridge/test/availability", "online")
        return bench
    }

    @Test("A stop under a robot's former name is executed and answered, after a restart too")
    func formerName() throws {
        let it = try RobotBench(power: false)
        try it.bench.expectOK("bridge/test/request/rename", #"{"device":"robot","to":"hall/robot"}"#)
        for round in 1...2 {
            if round == 2 {
                try it.bench.endBridge(with: 15)
                try it.bench.startBridge()
            }
            try it.bench.watchAnew().expect("hall/robot/status", fromStart: true) {
                $0.json["connection"] == "connected" && $0.json["blocked_by"] == .null
            }
            try it.bench.expectOK("hall/robot/power/set", "on")
            try it.bench.publish("hall/robot/drive/set", RobotBench.fullSpeed)
            try it.robot.expectWheels(turning: true)
            let answer = try it.bench.ask("robot/stop/set", "")
            #expect(answer["status"] == "ok" && answer["device"] == "hall/robot", "\(answer)")
            try it.robot.expectWheels(turning: false)
        }
    }

    @Test(
        "A device that joined, was renamed, used, reconnected and forgotten leaves no retained messages"
    )
    func life() throws {
        let bench = try start()
        let permit = try bench.ask("bridge/test/request/permit_join", #"{"seconds":60,"families":["belt"]}"#)
        #expect(permit["status"] == "ok")
        try bench.watcher.expect("belt/availability", "online")

        let renamed = try bench.ask("bridge/test/request/rename", #"{"device":"belt","to":"hall/belt"}"#)
        #expect(renamed["status"] == "ok")
        try bench.watcher.expect("hall/belt/availability", "online")
        #expect(try bench.ask("hall/belt/intensity/set", "70")["status"] == "ok")

        let gone = try bench.ask("bridge/test/request/disconnect", "hall/belt")
        #expect(gone["status"] == "ok")
        #expect(try bench.ask("hall/belt/intensity/set", "60")["code"] == "device_offline")
        try bench.endBridge(with: 15)
        try bench.watcher.expect("bridge/test/availability", "offline")
        try bench.startBridge(environment: ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "permit"])
        try bench.watcher.expect("hall/belt/connection") { $0.json["reason"] == "disconnected by request" }
        let back = try bench.ask("bridge/test/request/connect", "hall/belt")
        #expect(back["state"] == "connected")
        #expect(try bench.ask("hall/belt/intensity/set", "60")["status"] == "ok")

        #expect(try bench.ask("bridge/test/request/forget", "hall/belt")["status"] == "ok")
        let watcher = try bench.watchAnew()
        // The bridge's own messages and announcement stay.
        let left = watcher.seen.filter { message in
            message.isRetained && !message.topic.hasPrefix("bridge/")
                && !message.topic.contains("tactile_bridge_bridge_test")
        }
        #expect(left.map(\.topic) == [])
    }

    @Test("The bridge reports its health, and logs more on request")
    func bridge() throws {
        let bench = try start()
        try bench.watcher.expect("bridge/test/info") { $0.json["adapters"]?.array?.count == 1 }
        let health = try bench.ask("bridge/test/request/health_check", "")
        #expect(health["healthy"] == true)
        #expect(health["adapters"]?.array?.count == 1)
        let level = try bench.ask("bridge/test/request/log_level", "trace")
        #expect(level["before"] == "debug")
        #expect(level["level"] == "trace")
        let pairing = try bench.ask("bridge/test/request/pair", "belt")
        #expect(pairing["code"] == "unknown_device")
    }
}
