import Bluetooth
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Logging
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

/// Counts the work of observation with 3, 30 and 300 devices. It measures no times.
@Suite("Observation costs no more with many devices, and nothing while it is off")
struct ObservationGrowthTests {
    private static let sizes = [3, 30, 300]

    private static func address(_ number: Int) -> Address {
        Address(number: 0x00C0_FFEE_0000 + UInt64(number))
    }

    /// The settings of a bridge with a number of configured devices.
    private static func settings(_ count: Int) -> BridgeSettings {
        BridgeSettings(
            id: "attic", join: .configured,
            devices: (0..<count).map { .init(name: "d\($0)", family: "sample", address: address($0)) },
            families: ["sample": ["greeting": ""]], version: "1.0")
    }

    /// Returns the counts of a scenario for each number of devices, all of them online.
    private static func count(
        from level: Logger.Level = .trace, _ scenario: (TestBridge, Int) -> Int
    ) -> [Int] {
        sizes.map { size in
            var family = SampleFamily()
            family.naming = .each
            var result = 0
            withLab { lab in
                let bench = lab.bridge(settings(size), families: [family], logLevel: level)
                bench.connectBroker()
                lab.executor.perform { for number in 0..<size { bench.hear(address(number)) } }
                bench.time.advance(by: .seconds(2))
                #expect(bench.connection("d\(size - 1)")?["state"] == "connected")
                result = scenario(bench, size)
            }
            return result
        }
    }

    @Test(
        "A command renders no log lines below the log level, and no more lines with many devices",
        arguments: [(Logger.Level.info, 0...0), (.debug, 1...4), (.trace, 2...6)])
    func lines(_ level: Logger.Level, _ allowed: ClosedRange<Int>) {
        let counts = Self.count(from: level) { bench, _ in
            let before = bench.log.lineCount
            bench.send("level", "60", device: "d1")
            return bench.log.lineCount - before
        }
        #expect(Set(counts).count == 1 && allowed.contains(counts[0]), "\(counts) for \(Self.sizes)")
    }

    @Test("The groups are published once per turn of the loop, regardless of the number of joining devices")
    func groups() {
        let counts = Self.sizes.map { size in
            var count = 0
            withLab { lab in
                var family = SampleFamily()
                family.naming = .each
                let settings = BridgeSettings(
                    id: "attic", join: .always, families: ["sample": ["greeting": ""]], version: "1.0")
                let bench = lab.bridge(settings, families: [family])
                bench.connectBroker()
                bench.broker.clearLog()
                lab.executor.perform { for number in 0..<size { bench.hear(Self.address(number)) } }
                bench.time.advance(by: .seconds(2))
                count = bench.broker.objects("bridge/attic/groups").count
                let members = bench.broker.retainedObject("bridge/attic/groups")?.array?.first?["members"]
                #expect(members?.array?.count == size)
            }
            return count
        }
        #expect(counts.allSatisfy { (1...3).contains($0) }, "\(counts) for \(Self.sizes)")
    }

    @Test("A device needs two subscriptions, regardless of the number of devices")
    func subscriptions() {
        let counts = Self.count { bench, _ in bench.client.filters.count { $0.version != .three } }
        let each = (counts[1] - counts[0]) / (Self.sizes[1] - Self.sizes[0])
        #expect(counts[2] - counts[1] == each * (Self.sizes[2] - Self.sizes[1]), "\(counts)")
        #expect(each == 2, "\(counts) for \(Self.sizes)")
    }

    @Test("A command costs a recording the same with many devices, and nothing while no recording runs")
    func recording() {
        func bytes(_ bench: TestBridge, _ commands: Int) -> Int {
            let before = bench.recordings.files.last?.text.utf8.count ?? 0
            for _ in 0..<commands { bench.send("level", "60", device: "d1") }
            bench.time.advance(by: .seconds(1))
            return (bench.recordings.files.last?.text.utf8.count ?? 0) - before
        }
        for commands in [1, 10, 100] {
            let counts = Self.count { bench, _ in
                bench.request("record", "600")
                bench.time.advance(by: .seconds(1))
                return bytes(bench, commands)
            }
            // The time stamp and the counter become longer.
            #expect(counts.allSatisfy { (1...400).contains($0 / commands - 100) }, "\(commands): \(counts)")
            #expect(counts.max()! - counts.min()! <= 8 * commands, "\(commands): \(counts)")
        }
        let off = Self.count { bench, _ in
            bench.request("record", "600")
            bench.time.advance(by: .seconds(1))
            bench.request("record", "0")
            return bytes(bench, 10)
        }
        #expect(off == [0, 0, 0])
    }

    @Test("An event that no recording contains is not even created")
    func unmade() {
        let recorder = Recorder()
        #expect(!recorder.takes(Self.address(1)))
        recorder.begin(Recorder.Scope(devices: [Self.address(2)]), header: [:], at: .zero)
        #expect(!recorder.takes(Self.address(1)) && recorder.takes(Self.address(2)))
        _ = recorder.finish(.request, at: .zero)
        #expect(!recorder.takes(Self.address(2)))
    }
}
