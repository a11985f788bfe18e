import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

/// Counts messages, bytes, saves and reads of declarations with 3, 30 and 300 devices. It measures no times.
@Suite("Work grows at most linearly with the number of devices")
struct ScalingTests {
    private static let sizes = [3, 30, 300]

    private struct Work {
        var messages = 0
        var bytes = 0
        /// How often the features of a family were read.
        var looks = 0
        var saves = 0

        var columns: [(name: String, count: Int)] {
            [("messages", messages), ("bytes", bytes), ("looks", looks), ("saves", saves)]
        }
    }

    private static func address(_ number: Int) -> Address {
        Address(number: 0x00C0_FFEE_0000 + UInt64(number))
    }

    /// The settings of a bridge with a number of configured devices and a group of all of them. No device is
    /// connected.
    private static func settings(_ count: Int, join: BridgeSettings.JoinPolicy = .configured)
        -> BridgeSettings
    {
        let names = (0..<count).map { "d\($0)" }
        var settings = BridgeSettings(
            id: "attic", join: join,
            devices: join != .configured
                ? []
                : names.enumerated().map { number, name in
                    .init(name: name, family: "sample", address: address(number))
                },
            groups: join != .configured ? [] : [.init(name: "everybody", members: names)],
            families: ["sample": ["greeting": ""]], version: "1.0")
        settings.maxDevices = 1000
        return settings
    }

    /// A run with one number of devices. It counts the work of each step.
    private struct Run {
        let bench: TestBridge
        let counter: CountingFamily.Counter
        let size: Int
        var works: [String: Work] = [:]

        mutating func count(_ step: String, _ body: (TestBridge, Int) -> Void) {
            bench.broker.clearLog()
            let (looks, saves) = (counter.count, bench.store.saveCount)
            body(bench, size)
            // Reports about all devices may be delayed by 5 s.
            bench.time.advance(by: .seconds(6))
            let log = bench.broker.log
            works[step] = Work(
                messages: log.count,
                bytes: log.reduce(0) { $0 + $1.message.topic.utf8.count + $1.message.payload.count },
                looks: counter.count - looks, saves: bench.store.saveCount - saves)
        }
    }

    /// Runs a scenario with each number of devices.
    private static func play(
        join: BridgeSettings.JoinPolicy = .configured, _ scenario: (inout Run) -> Void
    ) -> [[String: Work]] {
        sizes.map { size in
            var works: [String: Work] = [:]
            withLab { lab in
                let family = CountingFamily()
                let bench = lab.bridge(settings(size, join: join), families: [family])
                var run = Run(bench: bench, counter: family.counter, size: size)
                scenario(&run)
                works = run.works
            }
            return works
        }
    }

    private static func counts(_ plays: [[String: Work]], _ step: String) -> [(name: String, counts: [Int])] {
        let works = plays.compactMap { $0[step]?.columns }
        #expect(works.count == sizes.count, "\(step) was not counted")
        return (works.first ?? []).enumerated().map { index, column in
            (column.name, works.map { $0[index].count })
        }
    }

    /// Expects that an additional device costs about the same with 30 and with 300 devices. Longer numbers may cost a
    /// little.
    private static func expectLinear(
        _ plays: [[String: Work]], _ step: String, _ columns: Set<String> = all
    ) {
        for (name, counts) in counts(plays, step) where columns.contains(name) {
            let few = Double(counts[1] - counts[0]) / Double(sizes[1] - sizes[0])
            let many = Double(counts[2] - counts[1]) / Double(sizes[2] - sizes[1])
            #expect(
                many <= few * 1.2 + 0.2,
                "\(step), \(name): \(counts) for \(sizes): a device costs \(few), and among many \(many)")
        }
    }

    /// Expects that the cost is independent of the number of devices.
    private static func expectConstant(
        _ plays: [[String: Work]], _ step: String, _ columns: Set<String> = all
    ) {
        for (name, counts) in counts(plays, step) where columns.contains(name) {
            #expect(counts[2] <= counts[0] + 2, "\(step), \(name): \(counts) for \(sizes)")
        }
    }

    /// Returns the request to restore a number of devices of another bridge.
    private static func backup(_ count: Int) -> String {
        let devices = (0..<count).map { number -> JSON.Value in
            [
                "name": .string("hall/d\(number)"), "family": "sample",
                "address": .string(address(number).description),
            ]
        }
        return JSON.Value.object(["backup": ["version": 1, "devices": .array(devices)]]).description
    }

    /// Delivers advertisements of all devices in one turn of the event loop.
    private static func hearAll(_ bench: TestBridge, _ size: Int) {
        bench.lab.executor.perform { for number in 0..<size { bench.hear(address(number)) } }
    }

    private static let all: Set = ["messages", "bytes", "looks", "saves"]

    @Test("Configured devices: start, connections, traffic, a lost connection, groups, and a lost broker")
    func configured() {
        let plays = Self.play { run in
            run.count("start") { bench, _ in bench.connectBroker() }
            run.count("connecting") { bench, size in
                Self.hearAll(bench, size)
            }
            run.count("traffic") { bench, _ in
                bench.link(Self.address(1))?.notify(SampleFamily.status, [3, 1])
                bench.send("level", "60", device: "d1")
            }
            run.count("a lost link") { bench, _ in
                bench.link(Self.address(1))?.lose()
                bench.time.advance(by: .seconds(3))
                bench.hear(Self.address(1))
            }
            run.count("a group") { bench, _ in bench.broker.send("everybody/level/set", "60") }
            run.count("a stop of all") { bench, _ in bench.broker.send("all/stop/set", "now") }
            run.count("a lost broker") { bench, _ in
                bench.client.lose()
                bench.time.advance(by: .seconds(2))
                bench.client.connect()
            }
        }
        Self.expectLinear(plays, "start")
        Self.expectLinear(plays, "connecting", ["messages", "saves"])
        Self.expectLinear(plays, "connecting", ["looks"])
        Self.expectLinear(plays, "connecting", ["bytes"])
        Self.expectConstant(plays, "traffic")
        Self.expectConstant(plays, "a lost link", ["messages", "saves"])
        Self.expectConstant(plays, "a lost link", ["looks"])
        Self.expectLinear(plays, "a group")
        Self.expectLinear(plays, "a stop of all")
        Self.expectLinear(plays, "a lost broker")
    }

    @Test("Restored devices: a backup, new names, and the same backup again")
    func restore() {
        let plays = Self.play(join: .permit) { run in
            run.bench.connectBroker()
            run.count("restore") { bench, size in
                bench.request("restore", Self.backup(size))
                #expect(bench.broker.objects("bridge/attic/response/restore").last?["skipped"] == [])
            }
            run.count("new names") { bench, size in
                let renamed = Self.backup(size).replacing("hall/", with: "attic/")
                bench.request("restore", renamed)
            }
            run.count("the same once more") { bench, size in
                bench.request("restore", Self.backup(size).replacing("hall/", with: "attic/"))
            }
        }
        for step in ["restore", "new names", "the same once more"] { Self.expectLinear(plays, step) }
    }

    @Test("Joining devices: all at the same time, and one more device afterwards")
    func joining() {
        let plays = Self.play(join: .always) { run in
            run.bench.connectBroker()
            run.count("joining") { bench, size in
                Self.hearAll(bench, size)
            }
            run.count("one more") { bench, size in bench.hear(Self.address(size)) }
        }
        Self.expectLinear(plays, "joining", ["messages", "saves"])
        Self.expectLinear(plays, "joining", ["looks"])
        Self.expectConstant(plays, "one more", ["looks"])
        Self.expectLinear(plays, "joining", ["bytes"])
        Self.expectConstant(plays, "one more", ["messages", "saves"])
    }
}
