import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("A pair of brokers under the shipped configuration", .serialized)
struct BrokerPairTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "deploy/brokers/mosquitto")
    private static let tap = "tap/8c176e"

    /// Two brokers; the first broker bridges its topics to the second.
    private struct Pair {
        let files: TemporaryDirectory
        let first: TestBroker
        let second: TestBroker

        init() throws {
            files = try TemporaryDirectory()
            let passwords = try files.write("", to: "passwords")
            for user in ["pair", "home", "test"] {
                try TestProcess.run(["mosquitto_passwd", "-b", passwords, user, "CHANGE-ME"])
            }
            let rules = try TestProcess.run([
                "env", "TACTILE_BRIDGE_BRIDGE_ID=test", "\(Program.folder)/tactile-bridge", "acl", "--role",
                "bridge", "--user", "test",
            ])
            let lines = ["user pair", "topic readwrite #", "user home", "topic readwrite #"]
            let access = try files.write(
                rules + "\n" + lines.joined(separator: "\n") + "\n", to: "access")
            for file in [passwords, access] { chmod(file, 0o600) }
            second = try Self.broker(["fleet.conf", "pair-b.conf"], passwords, access)
            first = try Self.broker(["fleet.conf", "pair-a.conf"], passwords, access, second.port)
        }

        /// Starts a broker with the shipped files on its own port.
        private static func broker(
            _ names: [String], _ passwords: String, _ access: String, _ other: UInt16 = 0
        ) throws -> TestBroker {
            var options = TestBroker.Options()
            options.login = ("home", "CHANGE-ME")
            for name in names {
                let file = BrokerPairTests.folder.appending(path: name)
                let text = try String(contentsOf: file, encoding: .utf8)
                    .replacing("/etc/mosquitto/tactile-bridge.passwd", with: passwords)
                    .replacing("/etc/mosquitto/tactile-bridge.acl", with: access)
                    .replacing("broker-b.example.org:1883", with: "127.0.0.1:\(other)")
                // The test chooses the listener.
                options.lines += text.split(separator: "\n").map(String.init)
                    .filter { !$0.hasPrefix("listener ") }
            }
            return try TestBroker(options)
        }
    }

    @Test("A broker is killed under load: the bridge is back within 2 s, each event once and in order")
    func killed() throws {
        let pair = try Pair()
        let bench = try Bench(at: pair.first, watching: pair.second)
        // The brokers are synchronized as soon as a message retained on one is on the other.
        try bench.publish("hello", "there", ["-r", "-q", "1"])
        try bench.watcher.expect("hello", "there")

        try bench.startSimulator(
            scenario: "devices:\n  tap: { bonded: true, address: \"D7:A9:E0:8C:17:6E\" }\n  robot: {}\n")
        let hosts = [pair.first, pair.second].map { "{ host: 127.0.0.1, port: \($0.port) }" }
        try bench.startBridge(
            configuration: "mqtt: { username: test, hosts: [\(hosts.joined(separator: ", "))] }",
            environment: [
                "TACTILE_BRIDGE_MQTT_HOST": "", "TACTILE_BRIDGE_MQTT_PORT": "",
                "TACTILE_BRIDGE_MQTT_PASSWORD": "CHANGE-ME",
            ])
        try bench.watcher.expectAll(
            ["\(Self.tap)/input_mode": nil, "robot/status": nil, "bridge/test/heartbeat": nil],
            within: .seconds(20))

        let count = 40
        for _ in 0..<count { try bench.act("tap 5") }
        try bench.watcher.expect("\(Self.tap)/tapped") { $0.json["seq"] == 5 }
        pair.first.kill()
        let death = EventLoop.now
        for _ in 0..<count { try bench.act("tap 3") }
        try bench.watcher.expect("\(Self.tap)/tapped") { $0.json["seq"]?.integer ?? 0 > count }
        let back = EventLoop.now - death
        #expect(back < .seconds(2), "back after \(back)")
        try bench.watcher.expect("\(Self.tap)/tapped", fromStart: true) {
            $0.json["seq"]?.integer == 2 * count
        }
        let numbers = bench.watcher.seen.filter { $0.topic == "\(Self.tap)/tapped" }
            .compactMap { $0.json["seq"]?.integer }
        // Events that the killed broker had not acknowledged are sent again; first occurrences are in order.
        var newest = 0
        let first = numbers.filter { number in
            defer { newest = max(newest, number) }
            return number > newest
        }
        #expect(first == Array(1...2 * count), "\(numbers)")

        // The bridge executes stops that arrive through the second broker.
        try TestProcess.run(
            ["mosquitto_pub"] + pair.second.arguments + ["-t", "robot/emergency_stop/set", "-n"])
        try bench.watcher.expect("robot/status") { $0.json["emergency_stop"] == true }

        // The first broker starts empty and is filled again; the bridge stays connected to the second.
        try pair.first.start()
        let refilled = try bench.watchAnew()
        try refilled.expectAll(
            ["bridge/test/availability": "online", "robot/availability": "online", "robot/status": nil],
            within: .seconds(15), fromStart: true)
        #expect(try bench.endBridge(with: SIGTERM) == 0)
        try refilled.expect("bridge/test/availability", "offline")
    }
}
