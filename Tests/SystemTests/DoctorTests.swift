import DBus
import EventLoop
import HostTesting
import JSON
import Testing

@Suite("Doctor, devices and scan next to other programs", .serialized)
struct DoctorTests {
    /// Runs a command of the bridge to its end; returns its JSON lines and its exit status.
    static func run(
        _ bench: Bench, _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> (lines: [JSON.Value], status: Int32) {
        var all = [
            "TACTILE_BRIDGE_BLUETOOTH_BUS": bench.bus.address.description, "TACTILE_BRIDGE_BRIDGE_ID": "test",
            "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1", "TACTILE_BRIDGE_MQTT_PORT": "\(bench.broker.port)",
            "TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY": bench.folder.file("state"),
        ]
        all.merge(environment) { $1 }
        let program = try Program("tactile-bridge", arguments, environment: all)
        var lines: [JSON.Value] = []
        while let line = program.nextLine(within: .seconds(60)) {
            if let value = try? JSON.Value(parsing: line.utf8) { lines.append(value) }
        }
        return (lines, program.wait())
    }

    private static func verdict(_ lines: [JSON.Value], _ check: String) -> JSON.Value? {
        lines.first { $0["check"]?.string == check }?["verdict"]
    }

    @Test("Next to a running bridge doctor finds no problem and does not disturb the bridge")
    func good() throws {
        // No other device may connect during the test.
        let bench = try Bench.withBelt(
            scenario: "devices:\n  belt: {}\n", brokerLines: ["message_size_limit 1048576"])
        let before = try bench.ask("bridge/test/request/devices", "")
        let seenBefore = bench.watcher.seen.count
        let (lines, status) = try Self.run(bench, ["doctor", "--json"])
        #expect(status == 0, "\(lines)")
        #expect(!lines.contains { $0["verdict"] == "problem" }, "\(lines)")
        for check in ["bus", "bluez", "adapters", "devices", "broker", "access", "bridge", "state"] {
            #expect(Self.verdict(lines, check) == "ok", "\(check)")
        }
        #expect(lines.contains { $0["summary"] == "the bridge test is running" })

        // Doctor's messages are not retained, and the belt stays connected.
        let said = try bench.watcher.expect("belt/result") { $0.json["feature"] == "doctor" }
        #expect(said.json["status"] == "ok")
        let after = try bench.ask("bridge/test/request/devices", "")
        #expect(after["devices"] == before["devices"])
        #expect(
            !bench.watcher.seen.dropFirst(seenBefore).contains {
                $0.topic == "belt/availability" && $0.payload == "offline"
            })
        let fresh = try bench.watchAnew()
        try fresh.expectAll(
            ["belt/availability": "online", "bridge/test/availability": "online"], within: .seconds(10),
            fromStart: true)
        #expect(!fresh.seen.contains { $0.topic.hasSuffix("/doctor") || $0.topic == "belt/result" })
        #expect(try bench.ask("belt/intensity/set", "60")["status"] == "ok")
    }

    @Test("Without bluetoothd and without a broker doctor reports both, and exits with status 1")
    func nothing() throws {
        let bench = try Bench(brokerRuns: false)
        let (lines, status) = try Self.run(bench, ["doctor", "--json"])
        #expect(status == 1)
        #expect(Self.verdict(lines, "bus") == "ok")
        #expect(Self.verdict(lines, "bluez") == "problem")
        #expect(Self.verdict(lines, "broker") == "problem")
        for line in lines where line["verdict"] == "problem" {
            #expect(line["remedies"]?.array?.isEmpty == false, "\(line)")
        }
    }

    @Test("Without a bus doctor reports it, and devices still shows the bridge's saved devices")
    func noBus() throws {
        let bench = try Bench()
        let gone = ["TACTILE_BRIDGE_BLUETOOTH_BUS": "unix:path=/nonexistent/bus"]
        let (lines, status) = try Self.run(bench, ["doctor", "--json"], gone)
        #expect(status == 1)
        #expect(Self.verdict(lines, "bus") == "problem")
        #expect(Self.verdict(lines, "broker") == "ok")
        let file = try bench.configure("devices: { hall: { family: belt, address: \"C0:FF:EE:00:BE:01\" } }")
        let (rows, end) = try Self.run(bench, ["devices", "--json", "--config", file], gone)
        #expect(end == 69)
        #expect(rows.map { $0["name"] } == ["hall"])
    }

    @Test("An invalid configuration is a problem, and Bluetooth is checked nevertheless")
    func configuration() throws {
        let bench = try Bench()
        let file = try bench.configure("mqtt: { prot: 1 }")
        let (lines, status) = try Self.run(bench, ["doctor", "--json", "--config", file])
        #expect(status == 1)
        #expect(Self.verdict(lines, "configuration") == "problem")
        #expect(lines.contains { $0["check"] == "adapters" })
    }

    @Test("On a terminal the table stays until q, and the terminal is restored afterwards")
    func terminal() throws {
        let bench = try Bench()
        try bench.startSimulator()
        let command = "stty -g; \(Program.folder)/tactile-bridge devices; stty -g"
        let terminal = try TestProcess(
            ["script", "-qfec", command, "/dev/null"],
            environment: [
                "TACTILE_BRIDGE_BLUETOOTH_BUS": bench.bus.address.description, "TERM": "xterm",
                "TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY": bench.folder.file("state"),
            ], hasInput: true)
        let settings = try #require(terminal.nextLine(within: .seconds(20)))
        var lines: [String] = []
        while let line = terminal.nextLine(within: .seconds(20)) {
            lines.append(line)
            if line.contains("BlueZ 5.66   hci0") { break }
        }
        #expect(lines.last?.contains("BlueZ 5.66   hci0") == true, "\(lines)")
        #expect(lines.first?.contains("\u{1B}[?1049h") == true)
        try terminal.write("q")
        lines = []
        while let line = terminal.nextLine(within: .seconds(20)) { lines.append(line) }
        #expect(terminal.end(with: nil) == 0)
        // The earlier screen is restored, and the table of devices is printed on it.
        let end = try #require(lines.firstIndex { $0.contains("\u{1B}[?25h\u{1B}[?1049l") })
        #expect(lines[end...].contains { $0.contains("NAME") || $0.contains("search: tactile-bridge scan") })
        #expect(lines.last == settings)
    }

    @Test("Devices lists the connected devices by name")
    func devices() throws {
        let bench = try Bench.withBelt()
        let (rows, status) = try Self.run(bench, ["devices", "--json"])
        #expect(status == 0)
        let belt = try #require(rows.first { $0["family"] == "belt" })
        #expect(belt["link"] == "connected")
        #expect(belt["name"] == "belt")
        #expect(belt["bridge"] == "joined")
    }

    @Test("Scan finds devices in range without a bridge and without a broker")
    func scan() throws {
        let bench = try Bench(brokerRuns: false)
        try bench.startSimulator()
        let (near, status) = try Self.run(bench, ["scan", "--json", "--seconds", "6"])
        #expect(status == 0)
        #expect(near.map { $0["link"] } == ["near", "near", "near"])
        #expect(Set(near.compactMap { $0["family"]?.string }) == ["belt", "tap", "robot"])
    }

    @Test("Doctor and scan list the ESPHome devices that Avahi reports, and connect to none of them")
    func candidates() async throws {
        let bench = try Bench(brokerRuns: false)
        try bench.startSimulator()
        let loop = try EventLoop.start(name: "avahi")
        defer { loop.stop() }
        // The port of the device is open, so that a connection would be accepted.
        let device = try UnusedPort()
        let text = [
            "mac=c0ffee000001", "api_encryption=Noise_NNpsk0_25519_ChaChaPoly_SHA256", "version=2026.10.0",
        ]
        var attic = FakeAvahi.Announced("attic-proxy", host: "127.0.0.1", text: text)
        attic.port = device.number
        let avahi = try await FakeAvahi(
            [attic, .init("evil\u{1B}[2J", host: "evil.local", text: [])], on: bench.bus, loop: loop)
        let file = try bench.configure(
            """
            bluetooth:
              proxies: [{ name: hall, host: hall.invalid, mac: "C0:FF:EE:00:00:02", plain: true }]
            """)
        let (findings, _) = try Self.run(bench, ["doctor", "--json", "--config", file])
        let found = try #require(
            findings.first { $0["check"] == "proxies" && $0["verdict"] == "ok" }, "\(findings)")
        #expect(found["summary"] == "2 ESPHome devices on the network are not in bluetooth.proxies")
        #expect(
            found["remedies"]?.array?[1].string
                == "- { name: \"attic-proxy\", host: \"127.0.0.1\", port: \(device.number), "
                + "mac: \"C0:FF:EE:00:00:01\", key_file: /etc/tactile-bridge/attic-proxy.key }")

        let configured = try bench.configure(
            """
            bluetooth:
              proxies: [{ name: attic, host: attic.invalid, mac: "C0:FF:EE:00:00:01", plain: true }]
            """)
        let scan = try Program(
            "tactile-bridge", ["scan", "--seconds", "3", "--config", configured],
            environment: ["TACTILE_BRIDGE_BLUETOOTH_BUS": bench.bus.address.description])
        var lines: [String] = []
        while let line = scan.nextLine(within: .seconds(30)) { lines.append(line) }
        #expect(scan.wait() == 0)
        let row = try #require(lines.first { $0.hasPrefix("attic-proxy ") }, "\(lines)")
        for word in ["127.0.0.1:\(device.number)", "C0:FF:EE:00:00:01", "yes", "2026.10.0", "proxy/attic"] {
            #expect(row.contains(word), "\(row)")
        }
        #expect(lines.contains { $0.hasPrefix("evil\\u{1B}[2J ") }, "\(lines)")
        #expect(!device.isUsed)
        await avahi.close()
    }

    @Test("Scan lists them on a host without Bluetooth too, and still reports what is missing")
    func candidatesWithoutBluetooth() async throws {
        let bench = try Bench(brokerRuns: false)
        let loop = try EventLoop.start(name: "avahi")
        defer { loop.stop() }
        let avahi = try await FakeAvahi(
            [.init("attic-proxy", host: "attic.local", text: ["mac=c0ffee000001"])], on: bench.bus, loop: loop
        )
        let scan = try Program(
            "tactile-bridge", ["scan", "--seconds", "1", "--config", try bench.configure("")],
            environment: ["TACTILE_BRIDGE_BLUETOOTH_BUS": bench.bus.address.description])
        var lines: [String] = []
        while let line = scan.nextLine(within: .seconds(30)) { lines.append(line) }
        #expect(scan.wait() == 69)
        #expect(lines.contains { $0.hasPrefix("attic-proxy ") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("problem  bluez ") }, "\(lines)")
        await avahi.close()
    }
}
