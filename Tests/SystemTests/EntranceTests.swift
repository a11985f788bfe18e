import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Input from a broker that others use too", .serialized)
struct EntranceTests {
    @Test(
        "A Response Topic among the bridge's own topics is rejected on the default topic; a stop is executed"
    )
    func responseTopic() throws {
        let bench = try Bench.withBelt()
        func send(_ feature: String, _ payload: String, answerTo topic: String) throws -> JSON.Value {
            try bench.publish(
                "belt/\(feature)/set", payload, ["-V", "5", "-D", "publish", "response-topic", topic])
            return try bench.watcher.expect("belt/result") { $0.json["feature"]?.string == feature }.json
        }
        for topic in [
            "belt/mode", "bridge/test/availability", "homeassistant/device/x/config", "other/power/set",
        ] {
            let answer = try send("intensity", "60", answerTo: topic)
            #expect(answer["code"] == "invalid_value", "\(answer)")
            #expect(answer["message"]?.string?.hasPrefix("Response Topic \(topic): ") == true, "\(answer)")
            let stop = try send("stop", "all", answerTo: topic)
            #expect(stop["status"] == "ok", "\(stop)")
        }
        #expect(!bench.watcher.seen.contains { $0.topic == "other/power/set" })
        #expect(!bench.watcher.seen.contains { $0.topic == "belt/mode" && $0.payload.contains("status") })
        try bench.expectOK("belt/intensity/set", "60")
    }

    @Test("The list that acl writes allows stops under the later and the earlier names of devices")
    func renamed() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("topic readwrite #\n", to: "access")
        chmod(file, 0o600)
        let bench = try Bench(
            users: ["bridge": "secret", "anna": "secret"],
            brokerLines: ["allow_anonymous true", "acl_file \(file)"])
        func list(_ arguments: [String]) throws -> String {
            try TestProcess.run(
                [
                    "env", "TACTILE_BRIDGE_BRIDGE_ID=test",
                    "TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY=\(bench.folder.file("state"))",
                    "\(Program.folder)/tactile-bridge", "acl", "--config", bench.folder.file("bridge.yaml"),
                ] + arguments)
        }
        try folder.write("topic readwrite #\n\nuser bridge\ntopic readwrite #\n", to: "access")
        kill(try #require(bench.broker.pid), SIGHUP)
        try bench.startSimulator(scenario: "devices: { belt: }")
        try bench.startBridge(environment: [
            "TACTILE_BRIDGE_MQTT_USERNAME": "bridge", "TACTILE_BRIDGE_MQTT_PASSWORD": "secret",
        ])
        try bench.watcher.expect("belt/availability", "online")
        try bench.expectOK("belt/mode/set", "app")
        let (former, name) = ("hall/left/belt", "attic/belt")
        try bench.expectOK("bridge/test/request/rename", #"{"device":"belt","to":"\#(former)"}"#)
        try bench.expectOK("bridge/test/request/rename", #"{"device":"\#(former)","to":"\#(name)"}"#)

        var own = try list(["--role", "bridge"])
        let end = EventLoop.now + .seconds(10)
        while !own.contains("topic readwrite \(name)/connection\n"), EventLoop.now < end {
            // The state is not on the disk yet.
            own = try list(["--role", "bridge"])
        }
        #expect(own.contains("topic readwrite \(name)/connection\n"))
        #expect(own.contains("#   message_size_limit 1048576"))
        #expect(!own.contains(former))
        let anna = try list(["--role", "viewer", "--user", "anna"])
        try folder.write("topic readwrite #\n\n\(own)\n\n\(anna)\n", to: "access")
        kill(try #require(bench.broker.pid), SIGHUP)
        let simulator = try #require(bench.simulator)
        try bench.publish("\(name)/vibrate/set", "90")
        try simulator.expectMotors([4])
        try bench.publish("\(name)/stop/set", "", ["-u", "anna", "-P", "secret"])
        try simulator.expectMotors([])
        // Retained, so that a client with the bridge's account receives it whenever it subscribes.
        try bench.publish("\(former)/stop/set", "now", ["-u", "anna", "-P", "secret", "-r", "-q", "1"])
        let listener = try TestProcess(
            ["mosquitto_sub"] + bench.broker.arguments
                + ["-u", "bridge", "-P", "secret", "-t", "\(former)/+/set"])
        #expect(listener.nextLine(within: .seconds(10)) == "now")
    }

    @Test("The guardian has none of the bridge's secrets in its environment or on its command line")
    func guardian() throws {
        let secret = "hush-\(UInt32.random(in: 0...UInt32.max))"
        let bench = try Bench(users: ["bridge": secret], brokerLines: ["allow_anonymous true"])
        let bridge = try bench.startBridge(environment: [
            "TACTILE_BRIDGE_MQTT_USERNAME": "bridge", "TACTILE_BRIDGE_MQTT_PASSWORD": secret,
            "SOMEBODYS_TOKEN": secret, "NOTIFY_SOCKET": "", "TZ": "Europe/Berlin",
        ])
        let guardian = try bridge.expectGuardian()
        func file(_ pid: pid_t, _ name: String) throws -> String {
            try TestProcess.run(["sh", "-c", "tr '\\0' '\\n' < /proc/\(pid)/\(name)"])
        }
        let own = try file(try #require(bridge.pid), "environ")
        #expect(own.contains("TACTILE_BRIDGE_MQTT_PASSWORD=\(secret)"))
        let environment = try file(guardian.pid, "environ")
        #expect(environment.contains("TZ=Europe/Berlin"), "\(environment)")
        #expect(!environment.contains(secret) && !environment.contains("TACTILE_BRIDGE_"), "\(environment)")
        #expect(!environment.contains("NOTIFY_SOCKET"), "\(environment)")
        #expect(!(try file(guardian.pid, "cmdline")).contains(secret))
    }

    @Test("Two hundred claims or birth messages of Home Assistant are not answered one by one")
    func floods() throws {
        let bench = try Bench.withBelt(scenario: "devices: { belt: }")
        let address = try bench.watcher.expect("belt/info", fromStart: true).json["address"]?.string ?? ""
        func flood(_ topic: String, _ payload: String) throws -> [Watcher.Message] {
            // Measured values never end and are not counted.
            let states = ["availability", "connection", "features", "info", "mode", "intensity"]
            let watcher = try Watcher(
                bench.broker, isThere: true,
                topics: states.map { "belt/\($0)" } + ["homeassistant/device/+/config"])
            while watcher.next(within: .milliseconds(100)) != nil {}
            let first = watcher.seen.count
            let file = try bench.folder.write(String(repeating: payload + "\n", count: 200), to: "flood")
            try TestProcess.run(
                ["sh", "-c", "exec \"$@\" < \(file)", "sh", "mosquitto_pub"] + bench.broker.arguments
                    + ["-t", topic, "-q", "1", "-l"])
            // The bridge publishes the rest at its limited rate.
            while watcher.next(within: .milliseconds(1500)) != nil {}
            watcher.stop()
            return Array(watcher.seen.dropFirst(first))
        }
        let said = try flood(
            "claim/\(address.lowercased().replacing(":", with: ""))",
            #"{"v":1,"bridge":"zebra","epoch":1000,"state":"linked","name":"belt"}"#
        ).filter { !$0.payload.contains("zebra") }
        print("200 claims: \(said.count) messages")
        #expect(said.count < 100)
        let announced = try flood("homeassistant/status", "online").filter { $0.topic.hasSuffix("/config") }
        print("200 birth messages: \(announced.count) announcements")
        #expect((2...6).contains(announced.count))
    }
}
