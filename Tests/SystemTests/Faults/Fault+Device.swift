import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

extension Fault {
    static let device: [Fault] = [
        Fault(
            .device, "link lost",
            holds: "reported with the reason; the bridge reconnects",
            counted: "the loss … `online`", within: .seconds(5)
        ) { try linkLost() },
        Fault(
            .device, "out of range",
            holds:
                "offline, commands are answered `device_offline`; commands of other devices take no longer",
            counted: "it is back … `online`", within: .seconds(20)
        ) { try outOfRange() },
        Fault(
            .device, "link lost every second, five times",
            holds: "each loss is reported; the bridge continues as before",
            counted: "the last loss … `online`", within: .seconds(10)
        ) { try flapping() },
        Fault(
            .device, "never answers a read or a write",
            holds: "abandoned with the reason and retried; the other devices are online and obey",
            counted: "it answers again … `online`", within: .seconds(40)
        ) { try mute() },
        Fault(
            .device, "has the wrong GATT table",
            holds: "`error` with what is missing and what to do; the other devices are online and obey",
            counted: "it is found … `error`", within: .seconds(20)
        ) { try wrongTable() },
        Fault(
            .device, "garbage: ten thousand invalid notifications on every characteristic",
            holds: "the belt obeys; each of ten thousand invalid commands is answered once",
            counted: "the last garbage … a command's answer", within: .seconds(60)
        ) { try await Garbage.survive() },
        Fault(
            .device, "flood: one TAP sends 2,000 raw values a second",
            holds: "every tap arrives in order, commands are carried out",
            counted: "a command in the flood … its answer", within: .seconds(2)
        ) { try flood() },
    ]

    static func linkLost() throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt)
        let time = try time {
            try bench.act("drop belt")
            try bench.watcher.expect("belt/availability", "offline")
            try bench.watcher.expect("belt/availability", "online")
        }
        let lost = bench.watcher.seen.last {
            $0.topic == "belt/connection" && $0.json["state"] == "searching"
        }
        #expect(lost?.json["reason"]?.string?.isEmpty == false)
        try bench.expectOK("belt/intensity/set", "55")
        return time
    }

    /// Two belts, of which `right` fails.
    private static func two(
        right: String = "", bluez: String = "", isRightOnline: Bool = true
    ) throws -> Bench {
        let bench = try Bench()
        try bench.startSimulator(
            scenario: """
                \(bluez)
                devices:
                  left: { kind: belt, address: "C0:FF:EE:00:00:01" }
                  right: { kind: belt, address: "C0:FF:EE:00:00:02"\(right) }
                """)
        try bench.startBridge(
            configuration: """
                devices:
                  left: { family: belt, address: "C0:FF:EE:00:00:01" }
                  right: { family: belt, address: "C0:FF:EE:00:00:02" }
                """, environment: ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "configured"])
        try bench.watcher.expectAll(
            isRightOnline
                ? ["left/availability": "online", "right/availability": "online"]
                : ["left/availability": "online"], within: .seconds(30))
        return bench
    }

    static func outOfRange() throws -> Duration {
        let bench = try two()
        try bench.act("mute right")
        try bench.watcher.expect("right/availability", "offline", within: .seconds(15))
        #expect(try bench.ask("right/intensity/set", "55")["code"] == "device_offline")
        var times: [Int] = []
        for number in 0..<40 {
            let answer = try bench.ask("left/intensity/set", "\(40 + number)")
            #expect(answer["status"] == "ok")
            times.append(try #require(answer["elapsed_ms"]?.integer))
        }
        print("commands to the belt in reach: worst \(times.max() ?? 0) ms of \(times.count)")
        #expect((times.max() ?? 1000) < 50)
        return try time {
            try bench.act("unmute right")
            try bench.watcher.expect("right/availability", "online", within: .seconds(40))
        }
    }

    static func flapping() throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt)
        let memory = try #require(bench.bridge?.memory?.own)
        var last = EventLoop.now
        for number in 1...5 {
            try bench.act("drop belt")
            last = EventLoop.now
            try bench.watcher.expect("belt/availability", "offline")
            if number == 5 { break }
            // Any messages may come in this second; the belt may be online again within it, or not.
            while bench.watcher.next(within: last + .seconds(1) - EventLoop.now) != nil {}
        }
        try bench.watcher.expect("belt/availability", "online", within: .seconds(30))
        let time = EventLoop.now - last
        try bench.expectOK("belt/intensity/set", "55")
        let later = try #require(bench.bridge?.memory?.own)
        #expect(TestProcess.isSanitized || later < memory + 4_000_000)
        return time
    }

    static func mute() throws -> Duration {
        let start = EventLoop.now
        let bench = try two(right: ", faults: [ { slow: 60min, for: 15s } ]", isRightOnline: false)
        let told = try bench.watcher.expect("right/connection", within: .seconds(30)) {
            // A program that starts slowly may miss the first attempt.
            $0.json["state"] == "error" || $0.json["attempt"]?.integer ?? 0 > 0
        }
        #expect(told.json["reason"]?.string?.isEmpty == false)
        try bench.expectOK("left/intensity/set", "55")
        try bench.watcher.expect("right/availability", "online", within: .seconds(60))
        // The simulator counts its fifteen seconds from a moment soon after the start.
        return max(.zero, EventLoop.now - start - .seconds(15))
    }

    static func wrongTable() throws -> Duration {
        let bench = try Bench()
        try bench.startSimulator(
            scenario: """
                bluez: { claimed_services: [FE51], disconnect_time: 50ms }
                devices:
                  belt: { address: "C0:FF:EE:00:00:01" }
                  robot:
                """)
        let start = EventLoop.now
        try bench.startBridge()
        let told = try bench.watcher.expect("belt/connection", within: .seconds(30)) {
            $0.json["state"] == "error"
        }
        let time = EventLoop.now - start
        #expect(told.json["reason_code"] == "service_claimed", "\(told)")
        #expect(told.json["advice"]?.string?.isEmpty == false)
        try bench.watcher.expectAll(["robot/availability": "online"], within: .seconds(15), fromStart: true)
        try bench.expectOpenRobot()
        try bench.expectOK("robot/power/set", "on")
        return time
    }

    static func flood() throws -> Duration {
        let bench = try Bench()
        let simulator = try bench.startSimulator(
            scenario: """
                devices:
                  tap:
                    address: "C0:FF:EE:00:00:01"
                    bonded: true
                    choices: { events_in_raw: true, finger_rate: 1000, imu_rate: 1000, raw_period: 5ms }
                """)
        let bridge = try bench.startBridge(
            configuration: "devices: { glove: { family: tap, address: \"C0:FF:EE:00:00:01\" } }\n",
            environment: ["TACTILE_BRIDGE_BRIDGE_STATS_INTERVAL_S": "1"], logLevel: "info")
        try bench.watcher.expect("glove/availability", "online")
        let watcher = try Watcher(
            bench.broker, isThere: true, topics: ["glove/tapped", "glove/result", "bridge/test/stats"])
        bench.stopWatching()
        try bench.expectOK("glove/input_mode/set", "raw")
        // At least twenty commands, and more until the bridge's own counter shows a flood: on a fast machine
        // twenty commands finish before a thousand values arrive.
        var times: [Duration] = []
        var counted = 0
        let deadline = EventLoop.now + .seconds(10)
        while times.count < 20 || (counted <= 1000 && EventLoop.now < deadline) {
            let number = times.count + 1
            try simulator.type("tap next")
            times.append(try time { try bench.expectOK("glove/vibrate/set", "[50]") })
            try watcher.expect("glove/tapped") { $0.json["seq"]?.integer == number }
            // A program blocks when its output pipe is full.
            for program in [simulator, bridge] { while program.nextLine(within: .zero) != nil {} }
            let stats = watcher.seen.last { $0.topic == "bridge/test/stats" }?.json
            counted = stats?["families"]?["tap"]?["counts"]?["raw_messages"]?.integer ?? counted
        }
        print(
            "a flood: \(counted) raw values, \(times.count) commands, answered after \(times.min() ?? .zero) "
                + "to \(times.max() ?? .zero)"
        )
        #expect(counted > 1000)
        return times.max() ?? .zero
    }
}
