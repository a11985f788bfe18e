import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Devices that only advertise, from the simulator to the broker", .serialized)
struct AdvertisingTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    private static let scenario = """
        devices:
          porch: { kind: file, file: \(root)/config/devices/bthome.yaml, address: "C0:FF:EE:00:00:01", values: { data: "400161" } }
          shed: { kind: file, file: \(root)/config/devices/bthome.yaml, address: "54:48:E6:8F:80:A5", values: { data: "41a47266c95f730011223378237214" } }
          tag: { kind: file, file: \(root)/config/devices/eddystone.yaml, address: "C0:FF:EE:00:00:03" }
        """

    @Test("Values and presses are published, encrypted ones too, and no device is connected")
    func values() throws {
        let bench = try Bench()
        try bench.startSimulator(scenario: Self.scenario)
        try bench.startBridge(
            configuration: """
                devices:
                  porch: { family: bthome, address: "C0:FF:EE:00:00:01" }
                  shed: { family: bthome, address: "54:48:E6:8F:80:A5", bindkey: 231d39c1d7cc1ab1aee224cd096db932 }
                  tag: { family: eddystone, address: "C0:FF:EE:00:00:03" }
                """)
        try bench.watcher.expectAll(
            ["porch/availability": "online", "shed/availability": "online"], within: .seconds(20))
        try bench.watcher.expect("porch/measures", within: .seconds(10), fromStart: true) {
            $0.json == ["battery": 97]
        }
        try bench.watcher.expect("shed/measures", within: .seconds(10), fromStart: true) {
            $0.json == ["temperature": 25.06, "humidity": 50.55]
        }
        try bench.act("porch advertise data 4002ca0903bf13")
        try bench.watcher.expect("porch/measures", within: .seconds(10)) {
            $0.json == ["battery": 97, "temperature": 25.06, "humidity": 50.55]
        }
        try bench.act("tag advertise telemetry 20000bea19800000006400003039")
        try bench.watcher.expect("tag/health", within: .seconds(10)) { $0.json["temperature"] == 25.5 }
        for number in 1...3 {
            try bench.act("porch advertise data 44000\(number)3a01")
            let press = try bench.watcher.expect("porch/event", within: .seconds(10)) {
                $0.json["button"] == "press"
            }
            #expect(press.json["seq"] == .integer(number))
        }
        #expect(try bench.ask("bridge/test/request/devices", "")["devices"]?.array?.count == 3)
    }

    @Test("A press before SIGKILL causes no event after the restart, and the next press causes one")
    func killed() throws {
        let bench = try Bench()
        try bench.startSimulator(scenario: Self.scenario)
        let configuration = """
            devices:
              porch: { family: bthome, address: "C0:FF:EE:00:00:01" }
            """
        try bench.startBridge(configuration: configuration)
        try bench.watcher.expect("porch/availability", "online", within: .seconds(20))
        let press = "44000a01633a01"
        try bench.act("porch advertise data \(press)")
        try bench.watcher.expect("porch/event", within: .seconds(10))
        // Sensor packets follow, with a number, which is not stored, and without.
        for (packet, temperature) in [("44000b451100", 1.7), ("40451200", 1.8)] {
            try bench.act("porch advertise data \(packet)")
            try bench.watcher.expect("porch/measures", within: .seconds(10)) {
                $0.json["temperature"] == .number(temperature)
            }
        }
        try bench.awaitState(containing: #""packet.event":10"#)
        try bench.endBridge(with: SIGKILL)
        // When the bridge starts, the host has other data of the device, so only the stored number shows that the
        // bridge received the press before.
        try bench.arrange(["porch advertise data 400162"])
        try bench.startBridge(configuration: configuration)
        let watcher = try bench.watchAnew()
        try watcher.expect("porch/measures", within: .seconds(20), fromStart: true) {
            $0.json["battery"] == 98
        }
        try bench.act("porch advertise data \(press)")
        try watcher.expect("porch/measures", within: .seconds(10)) { $0.json["battery"] == 99 }
        try bench.act("porch advertise data 44000d3a02")
        #expect(try watcher.expect("porch/event", within: .seconds(10)).json["button"] == "double_press")
        #expect(!watcher.seen.contains { $0.topic == "porch/event" && $0.json["button"] == "press" })
    }

    @Test("A device that joins is not paired, and its features accept no commands")
    func joining() throws {
        let bench = try Bench()
        try bench.startSimulator(scenario: Self.scenario)
        try bench.startBridge(environment: ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "permit"])
        try bench.watcher.expect("bridge/test/availability", "online")
        try bench.expectOK("bridge/test/request/permit_join", "C0:FF:EE:00:00:01")
        try bench.watcher.expect("bthome/000001/measures", within: .seconds(20), fromStart: true) {
            $0.json == ["battery": 97]
        }
        // A paired device would be connected, and would no longer advertise.
        try bench.act("porch advertise data 4002ca09")
        try bench.watcher.expect("bthome/000001/measures", within: .seconds(10)) {
            $0.json["temperature"] == 25.06
        }
        try bench.publish("bthome/000001/measures/set", "1")
        try bench.watcher.expect("bthome/000001/result", within: .seconds(10)) {
            $0.json["message"]
                == "measures: read-only; allowed: nothing, as bthome/000001 accepts no commands"
        }
    }

    @Test("An encrypted device without a key is not online, and names its setting")
    func noKey() throws {
        let bench = try Bench()
        try bench.startSimulator(scenario: Self.scenario)
        try bench.startBridge(
            configuration: """
                devices:
                  shed: { family: bthome, address: "54:48:E6:8F:80:A5" }
                """)
        try bench.watcher.expect("shed/connection", within: .seconds(20), fromStart: true) {
            $0.json["reason"]?.string?.contains("its setting bindkey is empty") ?? false
        }
    }
}

extension Bench {
    /// Waits until the bridge has stored a text in its state file.
    fileprivate func awaitState(containing text: String) throws {
        let (path, end) = (folder.file("state/state.json"), EventLoop.now + .seconds(10))
        // The file is missing for a moment while it is replaced.
        while (try? String(contentsOfFile: path, encoding: .utf8))?.contains(text) != true {
            guard EventLoop.now < end else { throw Missing(what: "\(text) in \(path)", seen: []) }
            _ = watcher.next(within: .milliseconds(20))
        }
    }
}
