import DeviceKit
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Metrics since the bridge's start")
struct StatsRecordTests {
    private func counters(links: Int) -> DeviceCounters {
        var counters = DeviceCounters()
        counters.links = links
        return counters
    }

    @Test("Metrics are due one interval after the last ones")
    func interval() {
        var record = StatsRecord(at: .seconds(100), date: TimeStamp(milliseconds: 0))
        #expect(record.next(every: .seconds(30)) == .seconds(130))
        record.report(at: .seconds(135))
        #expect(record.next(every: .seconds(30)) == .seconds(165))
        #expect(record.uptime(at: .milliseconds(101_900)) == 1)
    }

    @Test("A family's metrics include those of removed devices, in the order of the families")
    func families() throws {
        var record = StatsRecord(at: .zero, date: TimeStamp(milliseconds: 0))
        record.retire(counters(links: 2), of: "belt")
        record.retire(counters(links: 3), of: "belt")
        record.retire(counters(links: 9), of: "unknown")
        let devices: [(family: String, isOnline: Bool, counters: DeviceCounters)] = [
            ("tap", true, counters(links: 1)), ("belt", false, counters(links: 4)),
            ("tap", false, counters(links: 1)),
        ]
        let figures = record.families(["robot", "belt", "tap"], devices)
        #expect(figures.members.map(\.key) == ["belt", "tap"])
        #expect(figures["belt"]?["devices"] == 1 && figures["belt"]?["online"] == 0)
        #expect(figures["belt"]?["links"] == 9)
        #expect(figures["tap"]?["devices"] == 2 && figures["tap"]?["online"] == 1)
        #expect(figures["tap"]?["links"] == 2)
    }
}
