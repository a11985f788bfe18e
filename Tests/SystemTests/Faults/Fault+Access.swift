import EventLoop
import HostTesting
import JSON
import Testing

// Faults of a broker's access list.
extension Fault {
    static func subscriptionRefused() throws -> Duration {
        let stop = "robot/emergency_stop/set"
        let granted = [
            "drive", "field_offset", "field_orientation", "haptic", "power", "stop", "weapon", "+",
        ]
        let rules = try SubscriptionRules(
            filters: ["#", "robot/+", "robot/connection", "robot/set", "robot/status"]
                + granted.map { "robot/\($0)/set" },
            below: ["all", "answer", "bridge", "claim", "homeassistant", "roster"])
        let bench = try Bench(brokerLines: rules.lines)
        try bench.startSimulator(scenario: "devices: { robot: }")
        let bridge = try bench.startBridge(environment: ["TACTILE_BRIDGE_BRIDGE_STATS_INTERVAL_S": "1"])
        try bench.watcher.expect("robot/availability", "online")
        // The bridge tries at least once more without success, and logs only the first refusal.
        let refusals = try (0..<2).map { _ in
            try bridge.expectLine("refused a subscription", within: .seconds(10))
        }
        #expect(refusals.allSatisfy { $0.contains(stop) }, "\(refusals)")
        #expect(refusals.map { $0.contains(" error ") } == [true, false], "\(refusals)")
        #expect(try problems(bench) == [stop])
        let stats = try bench.watcher.expect("bridge/test/stats", within: .seconds(5)).json
        #expect(stats["refused"]?.array?.map { $0["topic"] } == [.string(stop)], "\(stats)")

        try bench.watcher.expect("robot/status", fromStart: true) { $0.json["blocked_by"] == "subscription" }
        for (feature, payload) in [("drive", Self.slow), ("power", "on"), ("weapon", "on")] {
            let answer = try bench.ask("robot/\(feature)/set", payload)
            #expect(answer["code"] == "wrong_mode" && answer["reason"] == "subscription", "\(answer)")
        }
        #expect(try bench.ask("robot/stop/set", "")["status"] == "ok")

        let start = EventLoop.now
        try rules.grantAll(at: bench.broker)
        try bridge.expectLine("now grants a subscription that it refused before", within: .seconds(40))
        #expect(try bench.ask(stop, "now")["status"] == "ok")
        let time = EventLoop.now - start
        #expect(try problems(bench) == [])
        try bench.expectOpenRobot()
        try bench.expectOK("robot/power/set", "on")
        #expect(
            bench.watcher.seen.count { $0.topic == "bridge/test/availability" } == 1, "the connection stood")
        return time
    }

    /// The topics that the broker refuses, from the bridge's health check.
    private static func problems(_ bench: Bench) throws -> [String] {
        let problems = try bench.ask("bridge/test/request/health_check", "")["problems"]?.array ?? []
        return problems.compactMap(\.string).filter { $0.hasPrefix("the broker refuses ") }.map { problem in
            String(problem.dropFirst("the broker refuses ".count).prefix { $0 != ":" })
        }
    }
}
