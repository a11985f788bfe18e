import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Metrics of the bridge")
struct StatsTests {
    private func stats(_ bench: TestBridge) -> [JSON.Value] { bench.broker.objects("bridge/attic/stats") }

    @Test("stats is published at its interval while the broker is connected, and matches its declaration")
    func interval() throws {
        try withBridge { bench in
            bench.time.advance(by: .seconds(60))
            #expect(stats(bench) == [])
            bench.goOnline()
            bench.time.advance(by: .seconds(60))
            #expect(stats(bench).count == 2)
            #expect(stats(bench).map { $0["uptime_s"] } == [90, 120])
            let report = try #require(BridgeFeatures.stats.report)
            guard case .object(let fields) = report.payload else { return }
            for value in stats(bench) { _ = try fields.check(try #require(value.object)) }
            _ = try fields.check(try #require(report.example.object))
        }
    }

    @Test("The example of stats has the published keys at every depth")
    func example() throws {
        var family = SampleFamily()
        family.name = "belt"
        try withLab { lab in
            let bench = lab.bridge(
                BridgeSettings(
                    id: "attic",
                    devices: [.init(name: "belt", family: "belt", address: BridgeSettings.sample)]),
                families: [family])
            bench.goOnline()
            bench.broker.send("all/stop/set", "")
            bench.client.refuse("belt/battery", "not authorized")
            bench.time.advance(by: .seconds(30))
            let sent = try #require(stats(bench).last)
            #expect(keys(sent) == keys(BridgeFeatures.stats.report?.example ?? .null))
            #expect(sent["families"]?["belt"]?["counts"] == ["stopped_by_all_stop": 1])
            #expect(sent["refused"] == [["topic": "belt/battery", "reason": "not authorized"]])
        }
    }

    private func keys(_ value: JSON.Value) -> JSON.Value {
        switch value {
        case .object(let object): .object(JSON.Object(object.members.map { ($0.key, keys($0.value)) }))
        case .array(let values): .array(values.map(keys))
        default: .null
        }
    }

    @Test("Traffic of devices is counted by family, and outlives a removed device")
    func families() throws {
        try withLab { lab in
            let bench = lab.bridge(.empty())
            bench.connectBroker()
            bench.request("permit_join", "60")
            bench.hear("AA:BB:CC:00:00:01")
            bench.time.advance(by: .milliseconds(500))
            let link = try #require(bench.link("AA:BB:CC:00:00:01"))
            for place in UInt8(0)..<5 { link.notify(SampleFamily.status, [4, place]) }
            bench.send("level", "60")
            bench.send("level", "400")
            bench.time.advance(by: .seconds(30))
            let before = try #require(stats(bench).last?["families"]?["sample"])
            #expect(before["devices"] == 1)
            #expect(before["links"] == 1)
            #expect(before["notifications"] == 5)
            #expect(before["streams"] == 5)
            #expect(before["commands"] == 1)
            #expect(before["failed_commands"] == 1)
            #expect(stats(bench).last?["commands"]?["count"] == 1)
            bench.request("forget", "sample")
            bench.time.advance(by: .seconds(30))
            let after = try #require(stats(bench).last?["families"]?["sample"])
            #expect(after["devices"] == 0)
            #expect(after["notifications"] == 5)
            #expect(stats(bench).last?["commands"]?["count"] == 0)
        }
    }

    @Test("The broker's metrics are published unchanged, with times in milliseconds with one decimal")
    func broker() {
        withBridge { bench in
            bench.goOnline()
            var figures = BrokerStatistics()
            figures.received = 7
            figures.dropped.streams = 3
            figures.queueDepth = 2
            figures.latency = Latencies(
                count: 9, median: .microseconds(850), percentile99: .milliseconds(2), maximum: .seconds(1))
            bench.client.set(figures)
            bench.time.advance(by: .seconds(30))
            let mqtt = stats(bench).last?["mqtt"]
            #expect(mqtt?["in"] == 7)
            #expect(mqtt?["dropped"]?["streams"] == 3)
            #expect(mqtt?["queue_depth"] == 2)
            #expect(mqtt?["latency"] == ["count": 9, "p50_ms": 0.8, "p99_ms": 2, "max_ms": 1000])
            #expect(stats(bench).last?["memory_bytes"] == 24_000_000)
        }
    }

    @Test("The metrics of latencies are the count, the median, the 99th percentile and the maximum")
    func latencies() {
        let some = Latencies((1...200).map { .milliseconds($0) })
        #expect(
            some
                == Latencies(
                    count: 200, median: .milliseconds(100), percentile99: .milliseconds(198),
                    maximum: .milliseconds(200)))
        #expect(Latencies([Duration]()) == Latencies())
    }
}
