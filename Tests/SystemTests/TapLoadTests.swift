import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

/// Twenty TAPs that stream all their sensors, for ten seconds or `TACTILE_BRIDGE_LOAD_SECONDS`. The values in
/// docs/measurements are from one minute with the release build in `TACTILE_BRIDGE_BIN`.
@Suite("Twenty TAPs at full rate", .serialized)
struct TapLoadTests {
    private static let count = 20
    private static var seconds: Int {
        getenv("TACTILE_BRIDGE_LOAD_SECONDS").flatMap { Int(String(cString: $0)) } ?? 10
    }

    private static func address(_ number: Int) -> String { "D7:A9:E0:8C:17:\(number + 10)" }

    @Test("Every tap arrives once and in order while the sensors stream; dropped messages are counted")
    func load() throws {
        let devices = (0..<Self.count).map { number in
            "  t\(number): { kind: tap, bonded: true, address: \"\(Self.address(number))\", "
                + "choices: { events_in_raw: true } }"
        }
        let bench = try Bench()
        let simulator = try bench.startSimulator(
            scenario: "devices:\n" + devices.joined(separator: "\n") + "\n")
        let bridge = try bench.startBridge(
            environment: ["TACTILE_BRIDGE_BRIDGE_STATS_INTERVAL_S": "1"], logLevel: "info")
        var wanted: [String: String?] = [:]
        for number in 0..<Self.count { wanted["tap/8c17\(number + 10)/input_mode"] = "controller" }
        try bench.watcher.expectAll(wanted, within: .seconds(60))

        // With all topics the watcher would be the slowest part from here on.
        for program in [simulator, bridge] { while program.nextLine(within: .milliseconds(1)) != nil {} }
        let taps = try Watcher(
            bench.broker, isThere: true, topics: ["tap/+/tapped", "all/result", "all/taps/result"])
        let stats = try Watcher(bench.broker, isThere: true, topics: ["bridge/test/stats"])
        bench.stopWatching()
        let raw = bench.folder.file("raw")
        let counter = try TestProcess(
            [
                "sh", "-c",
                "exec mosquitto_sub \(bench.broker.arguments.joined(separator: " ")) -t tap/+/raw -F x > \(raw)",
            ])
        try bench.publish("all/taps/input_mode/set", "raw")
        try taps.expect("all/taps/result", within: .seconds(10)) { $0.json["status"] == "ok" }
        let before = try stats.expect("bridge/test/stats").json
        let start = try #require(bridge.processorTime)
        let begin = EventLoop.now

        for second in 0..<Self.seconds {
            for number in 0..<Self.count { try bench.act("t\(number) next") }
            // A program blocks when its output pipe is full.
            for program in [simulator, bridge] { while program.nextLine(within: .milliseconds(1)) != nil {} }
            let end = begin + .seconds(second + 1)
            while taps.next(within: end - EventLoop.now) != nil {}
        }
        let elapsed = EventLoop.now - begin
        let used = try #require(bridge.processorTime) - start
        let after = try stats.expectNewest("bridge/test/stats").json
        try bench.publish("all/taps/input_mode/set", "controller")
        try taps.expect("all/taps/result", within: .seconds(10)) { $0.json["status"] == "ok" }
        let last = try stats.expectNewest("bridge/test/stats").json
        counter.end(with: SIGKILL)

        for number in 0..<Self.count {
            let seen = taps.seen.filter { $0.topic == "tap/8c17\(number + 10)/tapped" }
            let combinations = seen.compactMap { $0.json["combination"]?.integer }
            #expect(combinations == (0..<Self.seconds).map { $0 % 31 + 1 }, "TAP \(number)")
            #expect(seen.compactMap { $0.json["seq"]?.integer } == Array(1...Self.seconds))
        }
        func figure(_ stats: JSON.Value, _ path: String...) -> Int {
            path.reduce(Optional(stats)) { $0?[$1] }?.integer ?? 0
        }
        let received = figure(last, "families", "tap", "counts", "raw_messages")
        let published = figure(last, "families", "tap", "streams")
        let dropped = figure(last, "mqtt", "dropped", "streams")
        let arrived = try #require(Self.size(of: raw)) / 2
        #expect(received == published, "each raw value is published by itself")
        #expect(arrived == published - dropped, "what is not dropped arrives")
        #expect(figure(last, "mqtt", "dropped", "events") == 0)
        let rate =
            Double(
                figure(after, "families", "tap", "counts", "raw_messages")
                    - figure(before, "families", "tap", "counts", "raw_messages"))
            / Double(figure(after, "uptime_s") - figure(before, "uptime_s"))
        let microseconds = used / .microseconds(1) / (rate * (elapsed / .seconds(1)))
        print(
            """
            20 TAPs for \(elapsed): \(received) raw values in, \(published) out, \(dropped) dropped, \(arrived) \
            arrived; \(Int(rate)) a second, \(Int(used / elapsed * 1000)) ‰ of one core, \(microseconds) µs a message
            """)
        #expect(rate > 0.95 * Double(Self.count) * 408, "the simulator and the bridge keep up")
    }

    private static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
