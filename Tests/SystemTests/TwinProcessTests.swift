import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Two processes with one bridge id, and other clients with the bridge's client id", .serialized)
struct TwinProcessTests {
    @Test("The later process publishes nothing and exits with 69 and the reason; the first continues")
    func later() throws {
        let bench = try Bench.withBelt(scenario: Fault.belt)
        let first = try #require(bench.bridge)
        while bench.watcher.next(within: .milliseconds(300)) != nil {}
        let count = bench.watcher.seen.count
        let twin = try bench.makeBridge(
            file: try bench.folder.write("", to: "twin.yaml"),
            environment: ["TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY": bench.folder.file("twin")])
        try twin.expectLine("another bridge has the same id", within: .seconds(15))
        try twin.expectLine("give each bridge on a broker its own bridge.id", within: .seconds(15))
        #expect(twin.wait() == 69)
        try bench.expectOK("belt/intensity/set", "55")
        while bench.watcher.next(within: .milliseconds(300)) != nil {}
        let said = bench.watcher.seen.dropFirst(count).filter {
            $0.topic == "bridge/test/availability" || $0.topic == "belt/availability"
                || $0.topic == "belt/connection"
        }
        #expect(said.isEmpty, "\(said)")
        #expect(first.pid != nil)
    }

    @Test("After kill -9 the retained messages of the previous process do not block the next one")
    func restarted() throws {
        let bench = try Bench.withBelt(scenario: Fault.belt)
        for signal in [SIGKILL, SIGTERM] {
            try bench.endBridge(with: signal)
            let watcher = try bench.watchAnew()
            try bench.startBridge()
            try watcher.expect("belt/availability", "online", within: .seconds(20))
        }
    }

    @Test("A client that connects with the id derived from the bridge's id does not disturb the bridge")
    func stolenID() throws {
        let bench = try Bench.withBelt(scenario: Fault.belt)
        let thief = try TestProcess(
            ["mosquitto_sub"] + bench.broker.arguments + [
                "-i", "tactile-bridge-test", "-t", "nothing/at/all",
            ])
        defer { thief.end(with: SIGKILL) }
        for intensity in 50..<60 { try bench.expectOK("belt/intensity/set", "\(intensity)") }
        #expect(
            !bench.watcher.seen.contains { $0.topic == "bridge/test/availability" && $0.payload == "offline" }
        )
    }

    @Test("A configured client id is used unchanged, and a random one is the same after a restart")
    func ids() throws {
        let log = try TemporaryDirectory()
        let bench = try Bench(
            brokerLines: [
                "connection_messages true", "log_type notice", "log_dest file \(log.file("broker.log"))",
            ])
        try bench.startSimulator(scenario: Fault.belt)
        var ids: [String] = []
        for environment in [[:], [:], ["TACTILE_BRIDGE_MQTT_CLIENT_ID": "the bridge"]] {
            let watcher = try bench.watchAnew()
            try bench.startBridge(environment: environment)
            try watcher.expect("belt/availability", "online", within: .seconds(20))
            try bench.endBridge(with: SIGTERM)
            let lines = try TestProcess.run(["cat", log.file("broker.log")]).split(separator: "\n")
            let line = try #require(
                lines.last { $0.contains(" as tactile-bridge-test") || $0.contains(" as the bridge") })
            ids.append(String(line.split(separator: " as ")[1].split(separator: " (")[0]))
        }
        #expect(ids[0] == ids[1] && ids[0].hasPrefix("tactile-bridge-test-") && ids[0].count == 30, "\(ids)")
        #expect(ids[2] == "the bridge")
    }

    @Test("Ten restarts of the broker: the bridge is back within 2 s of each")
    func brokerRestarts() throws {
        let bench = try Bench.withBelt(scenario: Fault.belt)
        var times: [Duration] = []
        for _ in 0..<10 {
            bench.broker.stop()
            try bench.broker.start()
            let start = EventLoop.now
            try bench.watchAnew().expect(
                "bridge/test/availability", within: .seconds(70), fromStart: true
            ) { $0.payload == "online" }
            times.append(EventLoop.now - start)
        }
        print("ten restarts of the broker: back after \(times)")
        #expect(times.allSatisfy { $0 <= .seconds(2) }, "\(times)")
    }

    @Test(
        "A bridge started earlier with another bridge's id leaves the topics of the other bridge unchanged"
    )
    func changedID() throws {
        let bench = try Bench.withBelt(scenario: Fault.belt)
        while bench.watcher.next(within: .milliseconds(300)) != nil {}
        let before = Dictionary(bench.watcher.seen.map { ($0.topic, $0.payload) }) { $1 }
        let own = before.keys.filter { $0.hasPrefix("bridge/test/") || $0.hasPrefix("homeassistant/") }
        try TestProcess.run(["mkdir", "-p", bench.folder.file("second")])
        let topics = own.sorted().map { "    \"\($0)\"" }.joined(separator: ",\n")
        try bench.folder.write(
            "{ \"version\": 1, \"devices\": [], \"retained_topics\": [\n\(topics)\n] }",
            to: "second/state.json")
        let second = try bench.startSecondBridge()
        try second.expectLine("because other bridges publish them now", within: .seconds(20))
        let watcher = try bench.watchAnew()
        try watcher.expectAll(
            Dictionary(
                uniqueKeysWithValues: own.filter { before[$0]?.isEmpty == false && isState($0) }.map {
                    ($0, nil)
                }),
            within: .seconds(5), fromStart: true)
    }

    private func isState(_ topic: String) -> Bool {
        topic.hasSuffix("/availability") || topic.hasSuffix("/info") || topic.hasSuffix("/devices")
            || topic.hasSuffix("/config")
    }

    @Test("A retained topic that another client clears or overwrites is published again and logged")
    func emptied() throws {
        let bench = try Bench.withBelt(scenario: Fault.belt)
        for topic in ["belt/mode", "bridge/test/devices", "bridge/test/availability"] {
            while bench.watcher.next(within: .milliseconds(100)) != nil {}
            let value = try #require(bench.watcher.seen.last { $0.topic == topic }?.payload)
            for payload in ["", "nonsense"] {
                try bench.publish(topic, payload, ["-r"])
                try bench.watcher.expect(topic, value)
            }
        }
        try #require(bench.bridge).expectLine("cleared or overwrote")
    }
}
