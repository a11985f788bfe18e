import BridgeTesting
import EventLoop
import Glibc
import JSON
import Testing

@Suite("What goes wrong around the bridge", .serialized)
struct FailureTests {
    /// What the system says that the name means; not every one has both families.
    private static var addressesOfLocalhost: [String] {
        let lines = (try? TestProcess.run(["getent", "ahosts", "localhost"])) ?? ""
        let addresses = lines.split(separator: "\n").compactMap { $0.split(separator: " ").first }
        return Set(addresses.map(String.init)).sorted()
    }

    @Test("A broker that comes back empty gets every retained topic within two seconds, and no event is lost")
    func brokerRestarted() throws {
        let bench = try Bench.withBelt()
        let simulator = try #require(bench.simulator)
        try simulator.type("belt press home")
        try bench.watcher.expect("belt/button") { $0.json["seq"] == 1 }
        bench.broker.kill()
        for _ in 0..<5 { try simulator.type("belt press home") }
        try bench.bridge?.expectLine("broker lost")
        try bench.broker.start()
        let start = EventLoop.now
        let watcher = try bench.watchAnew()
        try watcher.expectAll(
            [
                "bridge/test/availability": "online", "belt/availability": "online", "belt/mode": "wait",
                "belt/battery": nil, "belt/intensity": nil, "belt/info": nil, "belt/features": nil,
                "belt/connection": nil, "bridge/test/devices": nil, "bridge/test/info": nil,
            ], within: .seconds(4), fromStart: true)
        let time = EventLoop.now - start
        print("retained topics back after \(time)")
        #expect(time < .seconds(2))
        var numbers = watcher.seen.filter { $0.topic == "belt/button" }.compactMap {
            $0.json["seq"]?.integer
        }
        while !numbers.contains(6) {
            numbers.append(
                try #require(try watcher.expect("belt/button", within: .seconds(5)).json["seq"]?.integer))
        }
        #expect(Set(numbers).isSuperset(of: 2...6), "presses 2 to 6, some perhaps twice: \(numbers)")
    }

    @Test("Without a broker the bridge waits, and comes up by itself when there is one")
    func brokerAbsent() throws {
        let bench = try Bench(brokerRuns: false)
        try bench.startSimulator()
        let bridge = try bench.startBridge()
        try bridge.expectLine("connection refused", within: .seconds(5))
        try bench.broker.start()
        try bench.watchAnew().expect("belt/availability", "online", within: .seconds(35))
    }

    @Test(
        "A broker that the name localhost reaches by one address family only is found",
        arguments: Self.addressesOfLocalhost)
    func localhost(address: String) throws {
        let bench = try Bench(brokerAddress: address)
        try bench.startSimulator()
        try bench.startBridge(host: "localhost")
        try bench.watcher.expect("belt/availability", "online")
    }

    @Test(
        "When org.bluez dies and comes back, the belt is online again within two seconds, and the topics say why"
    )
    func daemonRestarted() throws {
        let bench = try Bench.withBelt()
        try bench.killSimulator()
        try bench.watcher.expect("belt/availability", "offline")
        try bench.watcher.expect("bridge/test/event") { $0.json["event"] == "bluez_lost" }
        let connection = try #require(bench.watcher.seen.last { $0.topic == "belt/connection" }).json
        #expect(connection["state"] == "disconnected")
        #expect(connection["reason"]?.string?.isEmpty == false)
        try bench.startSimulator()
        let start = EventLoop.now
        try bench.watcher.expect("belt/availability", "online", within: .seconds(10))
        let time = EventLoop.now - start
        print("belt online after the return of org.bluez: \(time)")
        #expect(time < .seconds(2))
    }

    @Test("When the bus itself dies and comes back, the bridge waits and serves the belt again")
    func busRestarted() throws {
        let bench = try Bench.withBelt()
        bench.bus.stop()
        try bench.watcher.expect("belt/availability", "offline")
        try bench.watcher.expect("bridge/test/event") { $0.json["event"] == "bluez_lost" }
        #expect(try bench.ask("belt/intensity/set", "55")["code"] == "device_offline")
        try bench.bus.start()
        try bench.startSimulator()
        try bench.watcher.expect("belt/availability", "online", within: .seconds(15))
        #expect(try bench.ask("belt/intensity/set", "55")["status"] == "ok")
        #expect(try bench.endBridge(with: SIGTERM) == 0)
    }

    @Test("A lost link is told with its reason and made again")
    func linkLost() throws {
        let bench = try Bench.withBelt()
        try bench.act("drop belt")
        try bench.watcher.expect("belt/availability", "offline")
        try bench.watcher.expect("belt/availability", "online")
        #expect(try bench.ask("belt/intensity/set", "55")["status"] == "ok")
    }

    @Test("SIGTERM stops what vibrates, says offline within two seconds, and ends with exit code 0")
    func terminated() throws {
        let bench = try Bench.withBelt()
        let simulator = try #require(bench.simulator)
        try bench.publish("belt/mode/set", "app")
        try bench.watcher.expect("belt/mode", "app")
        try bench.publish("belt/vibrate/set", "90")
        try simulator.expect("motor 4") { $0["event"] == "feel" && $0["motors"]?.array?.count == 1 }
        let start = EventLoop.now
        bench.bridge?.send(SIGTERM)
        try bench.watcher.expectAll(
            ["belt/availability": "offline", "bridge/test/availability": "offline"], within: .seconds(2))
        print("offline \(EventLoop.now - start) after SIGTERM")
        try simulator.expect("silence") { $0["event"] == "feel" && $0["motors"] == [] }
        #expect(try bench.endBridge(with: SIGTERM) == 0)
    }

    @Test("SIGKILL makes the bridge offline by its last will")
    func killed() throws {
        let bench = try Bench.withBelt()
        bench.bridge?.send(SIGKILL)
        try bench.watcher.expect("bridge/test/availability", "offline", within: .seconds(5))
    }

    @Test("Ten thousand random notifications and ten thousand random commands leave the belt working")
    func garbage() throws {
        let bench = try Bench.withBelt()
        try bench.act("garbage belt 10000")
        var random = SystemRandomNumberGenerator()
        var lines = ""
        for _ in 0..<10_000 {
            let length = Int.random(in: 1...60, using: &random)
            let alphabet = Array("{}[]\":,0123456789.eE+-truefalsenull directionchannel\\")
            lines +=
                String((0..<length).map { _ in alphabet.randomElement(using: &random) ?? "x" }) + "\n"
        }
        let file = try bench.folder.write(lines, to: "payloads")
        try TestProcess.run([
            "sh", "-c",
            "mosquitto_pub \(bench.broker.arguments.joined(separator: " ")) -q 1 -t belt/vibrate/set -l < \(file)",
        ])
        // Garbage may say that the belt switches itself off; then the bridge finds it again.
        let end = EventLoop.now + .seconds(60)
        var answer = try bench.ask("belt/intensity/set", "45")
        while answer["status"] != "ok", EventLoop.now < end {
            try bench.watcher.expect("belt/availability", "online", within: end - EventLoop.now)
            answer = try bench.ask("belt/intensity/set", "45")
        }
        #expect(answer["status"] == "ok", "\(answer)")
        try bench.publish("belt/colour/set", "last")
        try bench.watcher.expect("belt/result", within: .seconds(60)) { $0.json["feature"] == "colour" }
        let results = bench.watcher.seen.count { message in
            message.topic == "belt/result" && message.json["feature"] == "vibrate"
        }
        #expect(results == 10_000, "each command is answered once")
    }

    @Test("A belt out of reach does not delay the other's commands")
    func twoBelts() throws {
        let scenario = """
            devices:
              left: { kind: belt, address: "C0:FF:EE:00:00:01" }
              right: { kind: belt, address: "C0:FF:EE:00:00:02" }
            """
        let configuration = """
            devices:
              belt/left: { family: belt, address: "C0:FF:EE:00:00:01" }
              belt/right: { family: belt, address: "C0:FF:EE:00:00:02" }
            """
        let bench = try Bench()
        try bench.startSimulator(scenario: scenario)
        try bench.startBridge(
            configuration: configuration, environment: ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "configured"])
        try bench.watcher.expectAll(
            ["belt/left/availability": "online", "belt/right/availability": "online"], within: .seconds(15))
        try bench.act("mute right")
        try bench.watcher.expect("belt/right/availability", "offline")
        var times: [Int] = []
        for number in 0..<40 {
            let answer = try bench.ask("belt/left/intensity/set", "\(40 + number)")
            #expect(answer["status"] == "ok")
            times.append(try #require(answer["elapsed_ms"]?.integer))
        }
        print("commands to the belt in reach: worst \(times.max() ?? 0) ms of \(times.count)")
        #expect((times.max() ?? 1000) < 50)
    }
}
