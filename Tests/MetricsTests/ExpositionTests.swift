import CoreMetrics
import Messages
import Testing

@testable import BridgeContract
@testable import MQTT
@testable import MetricsEndpoint

@Suite("The text format for Prometheus")
struct ExpositionTests {
    private typealias Sample = MetricFamily.Sample

    @Test("A family is its help, its type and one line per sample, with integers without a decimal point")
    func family() {
        let family = MetricFamily(
            name: "doors_total", help: "Doors that were opened.", kind: .counter,
            samples: [
                Sample(
                    labels: [.init(name: "room", value: "attic"), .init(name: "side", value: "left")],
                    value: 3),
                Sample(value: 0.25),
            ])
        #expect(
            family.text == """
                # HELP doors_total Doors that were opened.
                # TYPE doors_total counter
                doors_total{room="attic",side="left"} 3
                doors_total 0.25

                """)
        #expect(MetricFamily(name: "none", help: "x", kind: .gauge, samples: []).text == "")
    }

    @Test("Quotation marks, backslashes and line breaks in values and help cannot break a line")
    func escaping() {
        let family = MetricFamily(
            name: "a", help: "one\\two\nthree \"four\"", kind: .gauge,
            samples: [Sample(labels: [.init(name: "n", value: "a\"b\\c\nd")], value: 1)])
        #expect(
            family.text == #"""
                # HELP a one\\two\nthree "four"
                # TYPE a gauge
                a{n="a\"b\\c\nd"} 1

                """#)
    }

    @Test(
        "Numbers have the format of Prometheus",
        arguments: [
            (0.0, "0"), (-3, "-3"), (1e15, "1000000000000000"), (0.5, "0.5"), (.infinity, "+Inf"),
            (-.infinity, "-Inf"), (.nan, "NaN"), (1.7635e9, "1763500000"), (1e300, "1e+300"),
        ])
    func numbers(_ value: Double, _ text: String) {
        #expect(MetricFamily.number(value) == text)
    }

    @Test("Invalid bytes in names are replaced")
    func names() {
        let family = MetricFamily(
            name: "9.grüße-x", help: "", kind: .gauge,
            samples: [Sample(labels: [.init(name: "a.b", value: "ü")], value: 1)])
        #expect(family.text == "# TYPE _9_gr____e_x gauge\n_9_gr____e_x{a_b=\"ü\"} 1\n")
    }

    @Test("Metrics of swift-metrics are shown: counters, gauges, and times as histograms")
    func store() {
        let store = MetricsStore()
        let count = Counter(label: "steps_total", dimensions: [("to", "b")], factory: store)
        Counter(label: "steps_total", dimensions: [("to", "a")], factory: store).increment()
        count.increment(by: 2)
        Counter(label: "steps_total", dimensions: [("to", "b")], factory: store).increment()
        let level = Meter(label: "level", factory: store)
        level.set(5)
        level.decrement(by: 1.5)
        let timer = Timer(label: "time_seconds", dimensions: [("of", "x")], factory: store)
        for microseconds in [400, 500, 2000, 20_000_000] { timer.recordMicroseconds(microseconds) }
        let text = store.families(help: ["level": "How high."]).map(\.text).joined()
        #expect(
            text.hasPrefix(
                """
                # HELP level How high.
                # TYPE level gauge
                level 3.5
                # TYPE steps_total counter
                steps_total{to="a"} 1
                steps_total{to="b"} 3
                # TYPE time_seconds histogram
                time_seconds_bucket{of="x",le="0.0005"} 2
                time_seconds_bucket{of="x",le="0.001"} 2
                time_seconds_bucket{of="x",le="0.0025"} 3

                """))
        #expect(
            text.hasSuffix(
                """
                time_seconds_bucket{of="x",le="10"} 3
                time_seconds_bucket{of="x",le="+Inf"} 4
                time_seconds_sum{of="x"} 20.0029
                time_seconds_count{of="x"} 4

                """))
        count.destroy()
        level.destroy()
        #expect(store.families(help: [:]).map(\.name) == ["steps_total", "time_seconds"])
    }

    @Test("Each device has its own samples, with its name and family as labels")
    func devices() {
        var counters = DeviceCounters()
        counters.links = 2
        counters.writes = (7, 1)
        counters.named = ["stopped_by_lease": 3]
        var fleet = FleetCounters()
        fleet.handedOver(.died, after: .milliseconds(300))
        (fleet.offers, fleet.conflicts) = (5, 1)
        let figures = BridgeFigures(
            isBrokerConnected: true, adapters: 1, isGuardianRunning: true, refusedTopics: 0, fleet: fleet,
            orphans: 2,
            devices: [
                .init(name: "belt", family: "belt", isOnline: true, signal: -61, counters: counters),
                .init(
                    name: "tap/left", family: "tap", isOnline: false, signal: nil, counters: DeviceCounters()),
            ])
        let text = MetricsCollector.families(figures, id: "attic", version: "1.2").map(\.text).joined()
        let lines = Set(text.split(separator: "\n").map(String.init))
        for line in [
            #"tactile_bridge_build_info{bridge="attic",version="1.2"} 1"#,
            #"tactile_bridge_fleet_hand_overs_total{reason="died"} 1"#,
            #"tactile_bridge_fleet_hand_overs_total{reason="released"} 0"#,
            "tactile_bridge_fleet_offers_total 5", "tactile_bridge_fleet_conflicts_total 1",
            "tactile_bridge_fleet_orphans 2",
            "tactile_bridge_guardian_running 1",
            "tactile_bridge_broker_connected 1", "tactile_bridge_bluetooth_adapters 1",
            #"tactile_bridge_device_connected{device="belt",family="belt"} 1"#,
            #"tactile_bridge_device_connected{device="tap/left",family="tap"} 0"#,
            #"tactile_bridge_device_signal_dbm{device="belt",family="belt"} -61"#,
            #"tactile_bridge_device_links_total{device="belt",family="belt"} 2"#,
            #"tactile_bridge_device_writes_total{device="belt",family="belt",result="ok"} 7"#,
            #"tactile_bridge_device_writes_total{device="belt",family="belt",result="failed"} 1"#,
            #"tactile_bridge_device_counted_total{device="belt",family="belt",what="stopped_by_lease"} 3"#,
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(!text.contains(#"signal_dbm{device="tap/left""#))
    }

    @Test("Each certificate has its days; without a certificate there is no metric")
    func certificates() {
        let text = MetricsCollector.family(certificates: [("broker", 19), ("ca", -3)]).text
        #expect(
            text.hasSuffix(
                "_days{certificate=\"broker\"} 19\ntactile_bridge_mqtt_certificate_days{certificate=\"ca\"} -3\n"
            ))
        #expect(MetricsCollector.family(certificates: []).text == "")
    }

    @Test("A proxy that cannot be used has no slots, and without proxies there are no lines")
    func proxies() {
        let text = MetricsCollector.families([
            ProxyFigures(name: "proxy/kitchen", freeSlots: 2, advertisements: 7),
            ProxyFigures(name: "proxy/attic", freeSlots: nil, advertisements: 0),
        ]).map(\.text).joined()
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            lines == [
                #"tactile_bridge_proxy_connected{adapter="proxy/kitchen"} 1"#,
                #"tactile_bridge_proxy_connected{adapter="proxy/attic"} 0"#,
                #"tactile_bridge_proxy_free_slots{adapter="proxy/kitchen"} 2"#,
                #"tactile_bridge_proxy_advertisements_total{adapter="proxy/kitchen"} 7"#,
                #"tactile_bridge_proxy_advertisements_total{adapter="proxy/attic"} 0"#,
            ])
        #expect(MetricsCollector.families([ProxyFigures]()).allSatisfy { $0.text.isEmpty })
    }

    @Test("Every name follows Prometheus' conventions, is unique, and has a description")
    func conventions() {
        var counters = DeviceCounters()
        counters.named = ["x": 1]
        let device = BridgeFigures.Device(
            name: "belt", family: "belt", isOnline: true, signal: 0, counters: counters)
        let figures = BridgeFigures(
            isBrokerConnected: true, adapters: 1, isGuardianRunning: false, refusedTopics: 0,
            devices: [device])
        let families =
            MetricsCollector.families(figures, id: "a", version: "1")
            + MetricsCollector.families(BrokerStatistics())
            + [MetricsCollector.family(certificates: [("ca", -3)])] + (ProcessFigures.current?.families ?? [])
        #expect(Set(families.map(\.name)).count == families.count)
        #expect(families.count > 20)
        for family in families {
            #expect(family.name.hasPrefix("tactile_bridge_") || family.name.hasPrefix("process_"))
            #expect(family.name.hasSuffix("_total") == (family.kind == .counter), "\(family.name)")
            #expect(!family.name.hasSuffix("_ms"), "base units only: \(family.name)")
            #expect(family.help.hasSuffix(".") || family.help.hasSuffix("1."), "\(family.name)")
            #expect(!family.samples.isEmpty, "\(family.name)")
        }
    }

    @Test("The kernel's line is parsed although the program's name contains parentheses and spaces")
    func process() throws {
        let line =
            "77 (a) b (c)) S 1 77 77 0 -1 4194560 5 0 0 0 250 50 0 0 20 0 3 0 9000 1000000 500 18446744073709551615"
        let figures = try #require(
            ProcessFigures(status: line, boot: 1000, ticks: 100, page: 4096, descriptors: (12, nil)))
        #expect(figures.processorTime == 3)
        #expect(figures.start == 1090)
        #expect(figures.memory == (1_000_000, 500 * 4096))
        #expect(ProcessFigures(status: "7 (x) S 1", boot: 0, ticks: 100, page: 1, descriptors: (1, 1)) == nil)
        #expect(ProcessFigures(status: "", boot: 0, ticks: 100, page: 1, descriptors: (1, 1)) == nil)
        let own = try #require(ProcessFigures.current)
        #expect((1_000_000...64_000_000_000).contains(own.memory.resident))
        #expect(try #require(own.descriptors.open) >= 3)
        #expect(own.start > 1_500_000_000)
        #expect(own.processorTime >= 0)
    }
}
