import DBus
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Devices behind a Bluetooth proxy, from the simulator to the broker", .serialized)
struct ProxyTests {
    private static let belt =
        "  belt: { address: \"C0:FF:EE:00:BE:01\", choices: { wait_signal: off } }"

    @Test("A sensor that only advertises publishes its values over a proxy")
    func sensor() throws {
        let it = try ProxyBench(
            devices: """
                  porch: { kind: file, file: \(ProxyBench.file("bthome")), address: "C0:FF:EE:00:00:01", values: { data: "400161" } }
                """,
            configuration: "devices: { porch: { family: bthome, address: \"C0:FF:EE:00:00:01\" } }\n")
        try it.bench.watcher.expect("porch/measures", within: .seconds(20), fromStart: true) {
            $0.json == ["battery": 97]
        }
        try it.proxy.type("porch advertise data 4002ca0903bf13")
        try it.bench.watcher.expect("porch/measures") { $0.json["temperature"] == 25.06 }
    }

    @Test("A device whose file has `proxy: true` is set up, reports and obeys; another one is refused")
    func files() throws {
        let it = try ProxyBench(
            devices: """
                  strap: { kind: file, file: \(ProxyBench.file("heart")), address: "C0:FF:EE:00:00:02" }
                  wrist: { kind: file, file: \(ProxyBench.file("buzz")), address: "C0:FF:EE:00:00:03" }
                """,
            configuration: """
                devices:
                  anna: { family: heart, address: "C0:FF:EE:00:00:02" }
                  left: { family: buzz, address: "C0:FF:EE:00:00:03" }

                """)
        try it.expectOnline("anna")
        try it.proxy.type(#"strap rate {"rate":72}"#)
        try it.bench.watcher.expect("anna/rate", "72")
        try it.bench.expectOK("anna/reset_energy/set", "{}")
        try it.bench.watcher.expect("left/connection", fromStart: true) {
            $0.json["reason_code"] == "proxy_only"
        }
    }

    @Test("A robot is never connected over a proxy")
    func robot() throws {
        let it = try ProxyBench(devices: "  robot: {}")
        try it.bench.watcher.expect("robot/connection", within: .seconds(20), fromStart: true) {
            $0.json["reason_code"] == "proxy_only" && $0.json["state"] != "connected"
        }
        let answer = try it.bench.ask("robot/power/set", "on")
        #expect(answer["code"] == "device_offline")
        #expect(try it.expectAdapter(isUsed: true)["slots"] == 3)
    }

    @Test("A belt vibrates over a proxy, stops by `all/stop`, and is back after the proxy")
    func belt() throws {
        let it = try ProxyBench(devices: Self.belt)
        try it.expectOnline("belt")
        let command = #"{"channel":0,"motor":6,"iterations":1,"period_ms":4000}"#
        try it.bench.expectOK("belt/vibrate/set", command)
        try it.proxy.expectMotors([6])
        try it.bench.expectOK("all/stop/set", "{}")
        try it.proxy.expectMotors([])
        let refusal = try it.bench.ask(
            "belt/vibrate/set", #"{"channel":0,"motor":6,"iterations":127,"period_ms":65535}"#)
        #expect(refusal["code"] == "not_supported" && refusal["reason"] == "proxy", "\(refusal)")

        try it.proxy.type("proxy reboot")
        try it.bench.watcher.expect("belt/availability", "offline", within: .seconds(20))
        let entry = try it.expectAdapter(isUsed: false)
        #expect(entry["problem"]?.string?.isEmpty == false)
        try it.bench.watcher.expect("belt/availability", "online", within: .seconds(60))
        try it.bench.expectOK("belt/vibrate/set", command)
        try it.proxy.expectMotors([6])
    }

    @Test("A TAP in controller mode is bonded with the proxy, and its taps arrive")
    func tap() throws {
        let it = try ProxyBench(
            devices: "  tap: { address: \"D7:A9:E0:8C:17:6E\" }",
            configuration: "devices: { hand: { family: tap, address: \"D7:A9:E0:8C:17:6E\" } }\n")
        try it.expectOnline("hand")
        try it.bench.watcher.expect("hand/input_mode", fromStart: true) { $0.payload == "controller" }
        try it.proxy.type("tap 5")
        try it.bench.watcher.expect("hand/tapped") { $0.json["fingers"] == ["thumb", "middle"] }
        try it.bench.expectOK("hand/vibrate/set", "[100]")
    }

    @Test(
        "A belt, a TAP in controller mode and two devices of files: set-up, events, commands, stops, and a lost proxy"
    )
    func several() throws {
        let it = try ProxyBench(
            devices: """
                \(Self.belt)
                  tap: { address: "D7:A9:E0:8C:17:6E" }
                  strap: { kind: file, file: \(ProxyBench.file("heart")), address: "C0:FF:EE:00:00:02" }
                  lamp: { kind: file, file: \(ProxyBench.file("triones")), bluetooth_name: Triones-1, address: "C0:FF:EE:00:00:03" }
                """,
            configuration: """
                devices:
                  hand: { family: tap, address: "D7:A9:E0:8C:17:6E" }
                  anna: { family: heart, address: "C0:FF:EE:00:00:02" }
                  lamp: { family: triones, address: "C0:FF:EE:00:00:03" }

                """, options: ["--slots", "4"])
        let names = ["belt", "hand", "anna", "lamp"]
        for name in names { try it.expectOnline(name, within: .seconds(60)) }
        let watcher = it.bench.watcher
        try watcher.expect("hand/input_mode", fromStart: true) { $0.payload == "controller" }
        try exchange(it, rate: 72)

        try it.bench.expectOK("belt/vibrate/set", #"{"channel":0,"motor":6,"iterations":1,"period_ms":4000}"#)
        try it.proxy.expectMotors([6])
        try it.bench.expectOK("belt/stop/set", "all")
        try it.proxy.expectMotors([])

        try it.proxy.type("proxy wifi off")
        try it.proxy.type("proxy wifi on")
        try watcher.expectAll(
            Dictionary(uniqueKeysWithValues: names.map { ("\($0)/availability", "offline") }),
            within: .seconds(20))
        try watcher.expectAll(
            Dictionary(uniqueKeysWithValues: names.map { ("\($0)/availability", "online") }),
            within: .seconds(60))
        try exchange(it, rate: 73)
    }

    /// Checks an event and a command of each device, and `all/stop`.
    private func exchange(_ it: ProxyBench, rate: Int) throws {
        let watcher = it.bench.watcher
        try it.proxy.type("belt press home")
        try watcher.expect("belt/button") { $0.payload.contains("home") }
        // After a new link, the TAP is online before it is in controller mode.
        let isTapped = try (0..<20).contains { _ in
            try it.proxy.type("tap 5")
            let event = try? watcher.expect("hand/tapped", within: .seconds(1)) {
                $0.json["fingers"] == ["thumb", "middle"]
            }
            return event != nil
        }
        #expect(isTapped)
        try it.proxy.type(#"strap rate {"rate":\#(rate)}"#)
        try watcher.expect("anna/rate", "\(rate)")
        let light = #"{"power":"on","effect":"none","speed":1,"color":[1,2,3],"white":\#(rate)}"#
        try it.proxy.type("lamp light \(light)")
        try watcher.expect("lamp/light") { $0.json["white"]?.integer == rate }

        try it.bench.expectOK("anna/reset_energy/set", "{}")
        try it.bench.expectOK("lamp/light/set", "off")
        try it.proxy.expect("the lamp is switched off") { $0["event"] == "write" && $0["hex"] == "cc2433" }
        try it.bench.expectOK("hand/vibrate/set", "[100]")
        try it.bench.expectOK("belt/vibrate/set", #"{"channel":0,"motor":6,"iterations":1,"period_ms":4000}"#)
        try it.proxy.expectMotors([6])
        try it.bench.expectOK("all/stop/set", "{}")
        try it.proxy.expectMotors([])
    }

    @Test("A wrong key is reported with advice, in the state of the bridge and by doctor")
    func wrongKey() throws {
        let it = try ProxyBench(devices: Self.belt)
        try it.bench.endBridge(with: SIGTERM)
        let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHx8="
        let file = try it.bench.configure(ProxyBench.settings(port: it.port, key: key))
        let text = try it.doctor(file)
        #expect(text.contains { $0["summary"]?.string?.contains("the key is wrong") == true }, "\(text)")
        let second = try it.bench.makeBridge(file: file)
        try it.bench.watcher.expect("bridge/test/info", within: .seconds(20)) { message in
            message.json["adapters"]?.array?.contains { adapter in
                adapter["name"] == "proxy/kitchen" && adapter["powered"] == false
                    && adapter["problem"]?.string?.contains("the key is wrong") == true
            } == true
        }
        second.end(with: SIGTERM)
    }

    @Test("Doctor describes the proxy without replacing its client, and needs no BlueZ")
    func doctor() throws {
        let it = try ProxyBench(devices: Self.belt)
        try it.expectOnline("belt")
        let findings = try it.doctor(try it.bench.configure(ProxyBench.settings(port: it.port)))
        let proxy = findings.first { $0["check"] == "proxies" }
        #expect(
            proxy?["summary"]?.string?.contains("ESPHome 2026.10") == true
                && proxy?["summary"]?.string?.hasSuffix("encrypted, 2 of 3 connections free") == true,
            "\(findings)")
        #expect(!findings.contains { $0["check"] == "bluez" && $0["verdict"] == "problem" }, "\(findings)")
        // The bridge is still the client that receives events of devices.
        try it.bench.expectOK(
            "belt/vibrate/set", #"{"channel":0,"motor":6,"iterations":1,"period_ms":1000}"#)
        try it.proxy.expectMotors([6])
    }
}

extension ProxyBench {
    /// Runs `doctor` with a configuration file, and returns its findings.
    fileprivate func doctor(_ file: String) throws -> [JSON.Value] {
        let program = try Program(
            "tactile-bridge", ["doctor", "--config", file, "--json"],
            environment: [
                "TACTILE_BRIDGE_BLUETOOTH_BUS": bench.bus.address.description,
                "TACTILE_BRIDGE_BRIDGE_ID": "test", "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1",
                "TACTILE_BRIDGE_MQTT_PORT": "\(bench.broker.port)",
                "TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY": bench.folder.file("state"),
            ])
        var findings: [JSON.Value] = []
        while let line = program.nextLine(within: .seconds(60)) {
            if let finding = try? JSON.Value(parsing: line.utf8) { findings.append(finding) }
        }
        return findings
    }
}
