import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Two bridges with 300 known devices", .serialized)
struct ManyDevicesTests {
    private static let count = 300

    /// A configuration with this number of belts, all of which are absent.
    private static let configuration =
        "devices:\n"
        + (0..<count).map { number in
            let digits = String(0x1_0000 + number, radix: 16).uppercased()
            return "  b\(number): { family: belt, address: \"C0:FF:EE:\(digits.prefix(1))0:"
                + "\(digits.dropFirst().prefix(2)):\(digits.suffix(2))\" }\n"
        }.joined()

    @Test("The second bridge publishes none of the devices, and all of them after the first is killed")
    func second() throws {
        let bench = try Bench()
        bench.stopWatching()
        try bench.startSimulator(scenario: "devices: { far: { kind: belt } }")
        let known = ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "configured"]
        let first = try bench.startBridge(
            configuration: Self.configuration, environment: known, logLevel: "info")
        let watcher = try Watcher(
            bench.broker, isThere: true, topics: ["+/connection", "bridge/+/availability"])
        defer { watcher.stop() }
        func speakers(_ bridge: String) -> Set<String> {
            Set(watcher.seen.filter { $0.json["bridge"]?.string == bridge }.map(\.topic))
        }
        func wait(for bridge: String, within limit: Duration) throws -> Duration {
            let start = EventLoop.now
            while speakers(bridge).count < Self.count,
                watcher.next(within: start + limit - EventLoop.now) != nil
            {}
            try #require(speakers(bridge).count == Self.count, "\(speakers(bridge).count)")
            return EventLoop.now - start
        }
        _ = try wait(for: "test", within: .seconds(90))

        let other = try Bench(besides: bench)
        try other.startSimulator(scenario: "bluez: { host: 1 }\ndevices: { far: { kind: belt } }")
        try other.startBridge(
            configuration: Self.configuration,
            environment: known.merging(["TACTILE_BRIDGE_BRIDGE_ID": "second"]) { $1 },
            logLevel: "info")
        try watcher.expect("bridge/second/availability", "online", within: .seconds(30))
        // The first bridge publishes no device again when the second comes online.
        let begin = watcher.seen.count
        let end = EventLoop.now + .seconds(5)
        while watcher.next(within: end - EventLoop.now) != nil {}
        let repeated = Set(
            watcher.seen[begin...].filter { $0.json["bridge"] == "test" }.map(\.topic))
        #expect(repeated == [])
        #expect(speakers("second") == [])

        first.end(with: SIGKILL)
        let time = try wait(for: "second", within: .seconds(20))
        print("the other bridge speaks for \(Self.count) devices \(time) after the first one's death")
    }
}
