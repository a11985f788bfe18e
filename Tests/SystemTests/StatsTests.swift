import EventLoop
import HostTesting
import JSON
import Testing

@Suite("The statistics of the bridge", .serialized)
struct StatsTests {
    @Test("Statistics are published every second if configured, and count input and output")
    func figures() throws {
        let bench = try Bench.withBelt(environment: ["TACTILE_BRIDGE_BRIDGE_STATS_INTERVAL_S": "1"])
        _ = try bench.ask("belt/intensity/set", "60")
        _ = try bench.ask("belt/intensity/set", "400")
        let stats = try bench.watcher.expect("bridge/test/stats") {
            $0.json["families"]?["belt"]?["failed_commands"] == 1
        }.json
        #expect(stats["interval_s"] == 1)
        let mqtt = try #require(stats["mqtt"])
        #expect(try #require(mqtt["in"]?.integer) >= 2)
        #expect(try #require(mqtt["out"]?.integer) > 10)
        #expect(try #require(mqtt["acknowledged"]?.integer) > 10)
        #expect(mqtt["dropped"] == ["events": 0, "streams": 0, "replies": 0, "refused": 0])
        #expect(mqtt["reconnects"] == 0)
        let belt = try #require(stats["families"]?["belt"])
        #expect(belt["online"] == 1)
        #expect(belt["commands"] == 1)
        #expect(try #require(belt["notifications"]?.integer) > 0)
        let memory = try #require(stats["memory_bytes"]?.integer)
        #expect((5_000_000...200_000_000).contains(memory))
        let next = try bench.watcher.expect("bridge/test/stats", within: .seconds(3)).json
        #expect(next["uptime_s"] != stats["uptime_s"])
    }

    @Test("A reconnect after a broker loss is counted")
    func reconnect() throws {
        let bench = try Bench.withBelt(environment: ["TACTILE_BRIDGE_BRIDGE_STATS_INTERVAL_S": "1"])
        bench.broker.kill()
        try bench.broker.start()
        let watcher = try bench.watchAnew()
        try watcher.expect("bridge/test/stats", within: .seconds(20), fromStart: true) {
            $0.json["mqtt"]?["reconnects"] == 1
        }
    }
}
