import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("The rate of reports about all devices")
struct ReportPaceTests {
    private static let topics = ["bridge/attic/devices", "bridge/attic/groups", "bridge/attic/info"]

    private static func address(_ number: Int) -> Address {
        Address(number: 0x00C0_FFEE_0000 + UInt64(number))
    }

    private static var settings: BridgeSettings {
        var settings = BridgeSettings.empty(join: .always)
        settings.maxDevices = 1000
        return settings
    }

    /// Returns the names in each published list of devices, and whether all of them are online.
    private static func lists(_ bench: TestBridge) -> [(names: Set<String>, areOnline: Bool)] {
        let lists = bench.broker.texts(topics[0]).compactMap {
            try? JSON.Value(parsing: Array($0.utf8)).array
        }
        return lists.map { list in
            let names = Set(list.compactMap { $0["name"]?.string })
            return (names, list.allSatisfy { $0["availability"] == "online" })
        }
    }

    @Test(
        "The pause grows with the number of devices and the duration of a report, within limits",
        arguments: [
            (devices: 0, took: 0, pause: 0), (1, 1, 0), (10, 1, 0), (11, 1, 10), (100, 5, 900),
            (20, 100, 800), (100, 120, 980), (2500, 60, 9900), (1, 3000, 9900),
        ])
    func pause(devices: Int, took: Int, pause: Int) {
        var pace = ReportPace()
        let end = Duration.seconds(7)
        #expect(pace.pause(at: end) == nil)
        pace.published(devices, from: end - .milliseconds(took), to: end)
        let rest = end + .milliseconds(pause)
        #expect(pace.pause(at: end) == (pause > 0 ? rest : nil))
        if pause > 0 { #expect(pace.pause(at: rest - .milliseconds(1)) == rest) }
        #expect(pace.pause(at: rest) == nil)
    }

    @Test("A few reports of a few devices follow each other immediately, and further reports wait")
    func few() {
        var pace = ReportPace()
        for _ in 0..<4 {
            #expect(pace.pause(at: .seconds(1)) == nil)
            pace.published(3, from: .seconds(1), to: .seconds(1))
        }
        #expect(pace.pause(at: .seconds(1)) == .milliseconds(1020))
        // The pause is never longer than the longest pause.
        var crowd = ReportPace()
        var now = Duration.zero
        for _ in 0..<5 {
            crowd.published(2500, from: now, to: now)
            let next = crowd.pause(at: now) ?? now
            #expect(next - now <= ReportPace.longest)
            now = next
        }
    }

    @Test("A hundred devices that join one by one need a few reports, and the last report is complete")
    func crowd() {
        withLab { lab in
            let bench = lab.bridge(Self.settings)
            bench.connectBroker()
            bench.time.advance(by: .seconds(10))
            bench.broker.clearLog()
            for number in 0..<100 {
                bench.hear(Self.address(number))
                bench.time.advance(by: .milliseconds(20))
            }
            // No report is delayed longer than the pause.
            bench.time.advance(by: .seconds(1))
            for topic in Self.topics {
                let count = bench.broker.log.count { $0.message.topic == topic }
                #expect((2...20).contains(count), "\(topic): \(count)")
            }
            let lists = Self.lists(bench)
            #expect(lists.first?.names.count == 1)
            #expect(lists.last?.names.count == 100)
            #expect(lists.last?.areOnline == true)
            #expect(bench.broker.retainedObject(Self.topics[2])?["devices"] == ["known": 100, "online": 100])
            let all = bench.broker.retainedObject(Self.topics[1])?.array?.first { $0["group"] == "all" }
            #expect(all?["members"]?.array?.count == 100)
            bench.broker.clearLog()
            bench.time.advance(by: .seconds(10))
            #expect(Self.lists(bench).isEmpty)
        }
    }

    @Test("A change after a quiet period is reported immediately, and the next change after the pause")
    func single() {
        withLab { lab in
            let bench = lab.bridge(Self.settings)
            bench.connectBroker()
            for number in 0..<50 { bench.hear(Self.address(number)) }
            bench.time.advance(by: .seconds(5))
            bench.broker.clearLog()
            bench.link(Self.address(3))?.lose()
            #expect(Self.lists(bench).map(\.areOnline) == [false])
            bench.time.advance(by: .milliseconds(100))
            bench.hear(Self.address(3))
            #expect(Self.lists(bench).count == 1)
            bench.time.advance(by: .milliseconds(299))
            #expect(Self.lists(bench).count == 1)
            bench.time.advance(by: .milliseconds(1))
            #expect(Self.lists(bench).last?.areOnline == true)
        }
    }

    @Test("A bridge that stops reports its devices without a pause")
    func end() {
        withLab { lab in
            let bench = lab.bridge(Self.settings)
            bench.connectBroker()
            for number in 0..<50 { bench.hear(Self.address(number)) }
            bench.shutDown()
            let list = bench.broker.retainedObject(Self.topics[0])?.array
            #expect(list?.count == 50)
            #expect(list?.allSatisfy { $0["availability"] == "offline" } == true)
        }
    }
}
