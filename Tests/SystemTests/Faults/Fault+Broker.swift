import EventLoop
import Foundation
import HostTesting
import JSON
import Testing

extension Fault {
    static let broker: [Fault] = [
        Fault(
            .broker, "absent: no broker listens at the start",
            holds: "the bridge waits and logs the reason",
            counted: "the broker's start … `online` on it", within: .seconds(40)
        ) { try brokerAbsent() },
        Fault(
            .broker, "closes the connection of each client",
            holds: "the bridge retries at growing intervals and logs the reason",
            counted: "the last closed connection … `online`", within: .seconds(40)
        ) { try brokerHangsUp() },
        Fault(
            .broker, "rejects a password that is correct later",
            holds: "the log states what to do; a retry at most every 4 s; no restart is needed",
            counted: "the password is accepted … `online`", within: .seconds(40)
        ) { try passwordWrong() },
        Fault(
            .broker, "killed, and restarted without its retained messages",
            holds: "every retained topic is published again, and no event is lost",
            counted: "the broker's start … all topics are back", within: .seconds(2)
        ) { try brokerKilled() },
        Fault(
            .broker, "frozen with open connections",
            holds: "detected within twice `mqtt.keep_alive_s`, and no event is lost",
            counted: "it continues … the event that waited", within: .seconds(15)
        ) { try brokerFrozen() },
        Fault(
            .broker, "half-open connection: all messages are lost in both directions",
            holds: "detected within twice `mqtt.keep_alive_s` (here 5 s), reconnected, and no event is lost",
            counted: "the silence … the event that waited", within: .seconds(15)
        ) { try brokerHalfOpen() },
        Fault(
            .broker, "reads 2 kB a second",
            holds: "streams are thinned out, events wait, commands are still carried out",
            counted: "it reads again … every event and the newest heading", within: .seconds(10)
        ) { try brokerSlow() },
        Fault(
            .broker, "refuses the subscription to a robot's emergency stop, later grants it",
            holds:
                "reported in the log, `health_check` and `stats`; the bridge subscribes again without a "
                + "reconnect",
            counted: "the broker's new rules … an emergency stop is carried out", within: .seconds(35)
        ) { try subscriptionRefused() },
        Fault(
            .broker, "offline for longer than the queue of 10,000 events lasts",
            holds: "the oldest events are dropped and counted in `stats`; the newest 10,000 arrive in order",
            counted: "the broker's start … the newest event", within: .seconds(15)
        ) { try queueFull() },
        Fault(
            .broker, "full disk, and a restart without the messages that it could not store",
            holds: "events and commands are still forwarded; every retained topic is published again",
            counted: "the broker's start … all topics are back", within: .seconds(5)
        ) { try brokerWithoutRoom() },
    ]

    static func brokerAbsent() throws -> Duration {
        let bench = try Bench(brokerRuns: false)
        try bench.startSimulator(scenario: belt)
        let bridge = try bench.startBridge()
        try bridge.expectLine("connection refused")
        return try time {
            try bench.broker.start()
            try bench.watchAnew().expect("belt/availability", "online", within: .seconds(40))
        }
    }

    static func brokerHangsUp() throws -> Duration {
        let (bench, relay) = try relayed()
        defer { relay.end() }
        relay.set(.hangingUp)
        let bridge = try bench.startBridge(environment: port(of: relay))
        try bridge.expectLine("no connection to the broker", within: .seconds(10))
        relay.set(.faithful)
        return try time { try bench.watcher.expect("belt/availability", "online", within: .seconds(40)) }
    }

    static func passwordWrong() throws -> Duration {
        // A client without a name, such as the watcher, is accepted.
        let bench = try Bench(users: ["bridge": "another"], brokerLines: ["allow_anonymous true"])
        try bench.startSimulator(scenario: belt)
        let bridge = try bench.startBridge(environment: [
            "TACTILE_BRIDGE_MQTT_USERNAME": "bridge", "TACTILE_BRIDGE_MQTT_PASSWORD": "this one",
        ])
        try bridge.expectLine("not authorized", within: .seconds(10))
        bench.broker.kill()
        try bench.broker.start(users: ["bridge": "this one"])
        let time = try time {
            try bench.watchAnew().expect("belt/availability", "online", within: .seconds(40))
        }
        return time
    }

    static func brokerKilled() throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt)
        let simulator = try #require(bench.simulator)
        try simulator.type("belt press home")
        try bench.watcher.expect("belt/button") { $0.json["seq"] == 1 }
        bench.broker.kill()
        for _ in 0..<5 { try simulator.type("belt press home") }
        try bench.bridge?.expectLine("broker lost")
        try bench.broker.start()
        let start = EventLoop.now
        let watcher = try bench.watchAnew()
        try watcher.expectAll(retained, within: .seconds(4), fromStart: true)
        let time = EventLoop.now - start
        var numbers = watcher.seen.filter { $0.topic == "belt/button" }.compactMap { $0.json["seq"]?.integer }
        while !numbers.contains(6) {
            numbers.append(
                try #require(try watcher.expect("belt/button", within: .seconds(5)).json["seq"]?.integer))
        }
        #expect(Set(numbers).isSuperset(of: 2...6), "presses 2 to 6, some perhaps twice: \(numbers)")
        return time
    }

    static func brokerFrozen() throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt, environment: Self.shortKeepAlive)
        bench.broker.freeze()
        try bench.act("belt press home")
        let silence = try time { try bench.bridge?.expectLine("broker lost", within: .seconds(25)) }
        #expect(silence < .seconds(12))
        let start = EventLoop.now
        bench.broker.thaw()
        try bench.watcher.expect("belt/button", within: .seconds(20))
        let time = EventLoop.now - start
        try bench.expectOK("belt/intensity/set", "55")
        return time
    }

    static func brokerHalfOpen() throws -> Duration {
        let (bench, relay) = try relayed()
        defer { relay.end() }
        try bench.startBridge(environment: port(of: relay).merging(Self.shortKeepAlive) { $1 })
        try bench.watcher.expect("belt/availability", "online")
        let start = EventLoop.now
        relay.fallSilent()
        try bench.act("belt press home")
        try bench.watcher.expect("belt/button", within: .seconds(20))
        let time = EventLoop.now - start
        try bench.expectOK("belt/intensity/set", "55")
        return time
    }

    static func brokerSlow() throws -> Duration {
        let (bench, relay) = try relayed()
        defer { relay.end() }
        try bench.startBridge(
            configuration: "belt: { orientation_period_ms: 20 }\n", environment: port(of: relay))
        try bench.watcher.expect("belt/availability", "online")
        relay.set(.slow(bytesPerSecond: 2000))
        for _ in 0..<20 { try bench.act("belt press home") }
        try bench.publish("belt/intensity/set", "55")
        try bench.simulator?.expect("the command at the belt", within: .seconds(5)) {
            $0["event"] == "write" && $0["characteristic"]?.string?.hasPrefix("0000fe05") == true
                && $0["hex"]?.string?.contains("37") == true
        }
        // As many messages as the bridge could read in half a minute are queued now.
        try bench.act("belt turn 90")
        let start = EventLoop.now
        relay.set(.faithful)
        var presses: [Int] = []
        var heading = JSON.Value.null
        while presses.count < 20 || heading != 90,
            let message = bench.watcher.next(within: .seconds(20) - (EventLoop.now - start))
        {
            switch message.topic {
            case "belt/button": presses.append(message.json["seq"]?.integer ?? 0)
            case "belt/orientation": heading = message.json["heading"] ?? .null
            default: break
            }
        }
        #expect(presses == Array(1...20) && heading == 90)
        return EventLoop.now - start
    }

    static func queueFull() throws -> Duration {
        let bench = try Bench()
        let simulator = try bench.startSimulator(scenario: belt)
        try bench.startBridge(
            environment: ["TACTILE_BRIDGE_BRIDGE_STATS_INTERVAL_S": "1"], logLevel: "info")
        try bench.watcher.expect("belt/availability", "online")
        bench.broker.kill()
        // Each press publishes a button event and a home request.
        for number in 1...6000 {
            try simulator.type("belt press home")
            if number % 100 == 0 {
                // The simulator answers an unknown line with an error after it has processed all earlier lines.
                try simulator.type("and?")
                try simulator.expect("its answer") { $0["event"] == "error" }
            }
        }
        let start = EventLoop.now
        try bench.broker.start()
        let watcher = try bench.watchAnew()
        var presses: [Int] = watcher.seen.filter { $0.topic == "belt/button" }.compactMap {
            $0.json["seq"]?.integer
        }
        while presses.last != 6000, let message = watcher.next(within: .seconds(30)) {
            if message.topic == "belt/button" { presses.append(message.json["seq"]?.integer ?? 0) }
        }
        let time = EventLoop.now - start
        #expect(presses == presses.sorted() && presses.last == 6000)
        let stats = try watcher.expect("bridge/test/stats").json
        #expect((stats["mqtt"]?["dropped"]?["events"]?.integer ?? 0) >= 2000, "\(stats)")
        return time
    }

    static func brokerWithoutRoom() throws -> Duration {
        let disk = try TemporaryDirectory()
        let bench = try Bench(brokerLines: [
            "persistence true", "persistence_location \(disk.path)/", "autosave_on_changes true",
            "autosave_interval 1",
        ])
        try bench.startSimulator(scenario: belt)
        let bridge = try bench.startBridge()
        try limit(try #require(bench.broker.pid), "fsize", "0")
        try bench.watcher.expect("belt/availability", "online")
        try bench.act("belt press home")
        try bench.watcher.expect("belt/button")
        try bench.expectOK("belt/intensity/set", "55")
        bench.broker.stop()
        let kept = try Data(contentsOf: URL(filePath: disk.file("mosquitto.db")))
        #expect(kept.isEmpty, "it tried to keep something, and had no room")
        try bridge.expectLine("broker lost")
        try bench.broker.start()
        return try time {
            try bench.watchAnew().expectAll(retained, within: .seconds(10), fromStart: true)
        }
    }

    /// The retained messages that a late subscriber receives from a bridge with a belt.
    private static let retained: [String: String?] = [
        "bridge/test/availability": "online", "belt/availability": "online", "belt/mode": "wait",
        "belt/battery": nil, "belt/intensity": nil, "belt/info": nil, "belt/features": nil,
        "belt/connection": nil, "bridge/test/devices": nil, "bridge/test/info": nil,
    ]

    private static let shortKeepAlive = ["TACTILE_BRIDGE_MQTT_KEEP_ALIVE_S": "5"]

    /// A bench whose bridge connects to the broker through a relay.
    private static func relayed() throws -> (Bench, TCPRelay) {
        let bench = try Bench()
        try bench.startSimulator(scenario: belt)
        return (bench, try TCPRelay(to: bench.broker.port))
    }

    private static func port(of relay: TCPRelay) -> [String: String] {
        ["TACTILE_BRIDGE_MQTT_PORT": "\(relay.port)"]
    }
}
