import BridgeTesting
import DeviceKit
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("The heartbeat of the bridge, and the correction of outdated last wills")
struct HeartbeatTests {
    private let topic = "bridge/attic/heartbeat"

    private func settings(_ interval: Duration?) -> BridgeSettings {
        var settings = BridgeSettings.empty()
        settings.heartbeat = interval
        return settings
    }

    @Test("The heartbeat is published on connect and then once per interval, retained and as declared")
    func interval() throws {
        try withLab { lab in
            let bench = lab.bridge(settings(.seconds(20)))
            lab.time.advance(by: .seconds(60))
            #expect(bench.broker.objects(topic).isEmpty)
            bench.connectBroker()
            #expect(bench.broker.objects(topic).count == 1)
            lab.time.advance(by: .seconds(60))
            let said = bench.broker.objects(topic)
            #expect(said.count == 4)
            #expect(Set(said.map { $0["time"]?.string }).count == 4)
            let report = try #require(BridgeFeatures.heartbeat.report)
            if case .object(let fields) = report.payload {
                for value in said { _ = try fields.check(try #require(value.object)) }
            }
            #expect(bench.broker.retainedObject(topic) == said.last)
            #expect(said.last?["interval_s"] == 20)
            #expect(said.allSatisfy { $0.description.utf8.count < 64 })
            #expect(lab.time.callCount < 6)
        }
    }

    @Test("No heartbeat is published without a broker, and one immediately after a reconnect")
    func away() {
        withLab { lab in
            let bench = lab.bridge(settings(.seconds(20)))
            // A client publishes its states again after a reconnect, so a heartbeat may arrive twice.
            func beats() -> Int { Set(bench.broker.objects(topic).map { $0["time"]?.string }).count }
            bench.connectBroker()
            bench.client.lose()
            lab.time.advance(by: .seconds(90))
            #expect(beats() == 1)
            bench.connectBroker()
            #expect(beats() == 2)
            lab.time.advance(by: .seconds(20))
            #expect(beats() == 3)
        }
    }

    @Test("An interval of 0 disables the heartbeat and clears it, and a reload applies another interval")
    func reload() {
        withLab { lab in
            let bench = lab.bridge(settings(.seconds(20)))
            bench.connectBroker()
            #expect(bench.broker.retained(topic) != nil)
            bench.reload(settings(nil))
            #expect(bench.broker.retained(topic) == nil)
            let count = bench.broker.objects(topic).count
            lab.time.advance(by: .seconds(100))
            #expect(bench.broker.objects(topic).count == count)
            bench.reload(settings(.seconds(5)))
            lab.time.advance(by: .seconds(10))
            #expect(bench.broker.retainedObject(topic)?["interval_s"] == 5)
        }
    }

    @Test("The heartbeat of an earlier run is cleared if the heartbeat is disabled")
    func stale() {
        withLab { lab in
            let store = MemoryStore()
            let first = lab.bridge(settings(.seconds(20)), store: store)
            first.connectBroker()
            first.shutDown()
            let second = lab.bridge(settings(nil), store: store)
            second.connectBroker()
            #expect(second.broker.retained(topic) == nil)
        }
    }

    @Test("An outdated last will is corrected immediately, and messages of other bridges are ignored")
    func will() {
        withLab { lab in
            let availability = "bridge/attic/availability"
            let bench = lab.bridge(settings(nil))
            bench.connectBroker()
            #expect(bench.broker.retained(availability) == "online")
            let count = bench.broker.texts(availability).count
            bench.broker.send("bridge/cellar/availability", "offline")
            #expect(bench.broker.texts(availability).count == count)
            bench.broker.send(availability, "offline")
            #expect(bench.broker.texts(availability).suffix(1) == ["online"])
            #expect(bench.broker.retained(availability) == "online")
            bench.shutDown()
            #expect(bench.broker.retained(availability) == "offline")
        }
    }
}
