import EventLoop
import HostTesting
import JSON
import Testing

@Suite("Patterns, from a shell to what wearers feel", .serialized)
struct HapticTests {
    private static let allRound = [0, 3, 5, 8, 11, 13]
    private static let silent = #"{"playing":null}"#

    private static func patterns(from file: String = #filePath) -> String {
        file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
            + "/config/patterns"
    }

    @Test(
        "After a pattern, navigation resumes automatically with the direction that arrived during the pattern"
    )
    func navigation() throws {
        let bench = try Bench.withBelt(scenario: "devices: { belt: { choices: { wait_signal: off } } }")
        let belt = try #require(bench.simulator)
        try bench.publish("belt/navigation/set", "90")
        try belt.expectMotors([4])
        try bench.publish("belt/haptic/set", "gradual")
        try belt.expectMotors(Self.allRound)
        try bench.watcher.expect("belt/haptic", #"{"playing":"gradual"}"#)
        let kept = try bench.ask("belt/navigation/set", "180")
        #expect(kept["kept"] == true)
        try belt.expectMotors([8])
        try bench.watcher.expect("belt/haptic", Self.silent)
        let navigation = try #require(bench.watcher.seen.last { $0.topic == "belt/navigation" })
        #expect(navigation.json["state"] == "navigating" && navigation.json["direction"] == 180)
        #expect(bench.watcher.seen.last { $0.topic == "belt/mode" }?.payload == "app")
    }

    @Test("Pattern files are listed and played by name; a bad file is reported with its reason")
    func files() throws {
        let bench = try Bench.withBelt(
            environment: ["TACTILE_BRIDGE_HAPTICS_DIRECTORY": Self.patterns()])
        let names = try #require(bench.watcher.seen.last { $0.topic == "bridge/test/patterns" })
        #expect(
            names.payload
                == #"["normal","multi","gradual","heavy","countdown","doorbell","failure","heartbeat","knock","success"]"#
        )
        let played = try bench.ask("belt/haptic/set", #"{"pattern":"doorbell","direction":90}"#)
        #expect(played["status"] == "ok" && played["degraded"] == ["sharpness"])
        try bench.watcher.expect("belt/haptic", #"{"playing":"doorbell"}"#)
        #expect(try bench.ask("belt/haptic/set", "stop")["status"] == "ok")
        try bench.watcher.expect("belt/haptic", Self.silent)
        let unknown = try bench.ask("belt/haptic/set", "doorbel")
        #expect(unknown["code"] == "invalid_value")
        #expect(unknown["message"]?.string?.contains("known: normal multi gradual heavy countdown") == true)
    }

    @Test("An invalid file is logged with its position, and the other files are loaded")
    func badFile() throws {
        let bench = try Bench()
        let folder = try TemporaryDirectory()
        _ = try folder.write(#"{"Pattern":[{"Event":{"EventType":"Smell"}}]}"#, to: "smell.ahap")
        _ = try folder.write("events: [{ kind: transient }]\n", to: "tick.yaml")
        try bench.startSimulator()
        let bridge = try bench.startBridge(
            environment: ["TACTILE_BRIDGE_HAPTICS_DIRECTORY": folder.file("")])
        try bridge.expectLine("Pattern[0].Event.EventType", within: .seconds(15))
        try bench.watcher.expect(
            "bridge/test/patterns", #"["normal","multi","gradual","heavy","tick"]"#)
    }

    // MARK: In step

    private static let devices = ["belt", "hall/belt", "tap/a", "tap/b", "tap/c"]
    private static let fleet = """
        devices:
          belt: { family: belt, address: "C0:FF:EE:00:00:01" }
          hall/belt: { family: belt, address: "C0:FF:EE:00:00:02" }
          tap/a: { family: tap, address: "C0:FF:EE:00:00:0A" }
          tap/b: { family: tap, address: "C0:FF:EE:00:00:0B" }
          tap/c: { family: tap, address: "C0:FF:EE:00:00:0C" }
        """
    private static let crowd = """
        devices:
          one: { kind: belt, address: "C0:FF:EE:00:00:01", address_type: random, choices: { wait_signal: off } }
          two: { kind: belt, address: "C0:FF:EE:00:00:02", address_type: random, choices: { wait_signal: off } }
          three: { kind: tap, address: "C0:FF:EE:00:00:0A", address_type: random }
          four: { kind: tap, address: "C0:FF:EE:00:00:0B", address_type: random }
          five: { kind: tap, address: "C0:FF:EE:00:00:0C", address_type: random }
        """

    @Test("Two belts and three TAPs start simultaneously", .timeLimit(.minutes(3)))
    func together() throws {
        let bench = try Bench()
        let simulator = try bench.startSimulator(scenario: Self.crowd)
        try bench.startBridge(
            configuration: Self.fleet, environment: ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "configured"])
        for device in Self.devices {
            try bench.watcher.expectAll(
                ["\(device)/availability": "online"], within: .seconds(40), fromStart: true)
        }
        var spreads: [Double] = []
        for _ in 0..<100 {
            try bench.publish("all/haptic/set", "normal")
            spreads.append(try spread(simulator))
            try awaitEnd(bench.watcher)
        }
        spreads.sort()
        print("in step: p50 \(spreads[50]) ms, p99 \(spreads[98]) ms, at most \(spreads[99]) ms")
        #expect(spreads[50] < 20 && spreads[98] < 100)
    }

    /// The milliseconds between the first vibrations of the first and the last device.
    private func spread(_ simulator: Program) throws -> Double {
        var times: [String: Double] = [:]
        while times.count < Self.devices.count {
            let line = try simulator.expect("a vibration of all; there are \(times.keys.sorted())") { line in
                guard line["event"] == "write", let id = line["characteristic"]?.string else { return false }
                return id.hasPrefix("0000fe03") || id.hasPrefix("c3ff0009")
            }
            guard let device = line["device"]?.string, let time = line["time"]?.double else { continue }
            times[device] = times[device] ?? time
        }
        return (((times.values.max() ?? 0) - (times.values.min() ?? 0)) * 1000).rounded()
    }

    /// Waits until each device has reported that it plays, and then that it has finished.
    private func awaitEnd(_ watcher: Watcher) throws {
        var playing: Set<String> = []
        var open = Set(Self.devices.map { "\($0)/haptic" })
        let end = EventLoop.now + .seconds(5)
        while !open.isEmpty {
            guard let message = watcher.next(within: end - EventLoop.now) else {
                throw Missing(what: "the end on \(open)", seen: watcher.seen.suffix(30).map(\.description))
            }
            if message.payload != Self.silent {
                playing.insert(message.topic)
            } else if playing.contains(message.topic) {
                open.remove(message.topic)
            }
        }
    }
}
