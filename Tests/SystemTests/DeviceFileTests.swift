import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Devices of device files, from the simulator to the broker", .serialized)
struct DeviceFileTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    private static let scenario = """
        devices:
          wrist: { kind: file, file: \(root)/config/devices/buzz.yaml, bluetooth_name: Buzz 1, address: "C0:FF:EE:00:00:01" }
          strap: { kind: file, file: \(root)/config/devices/heart.yaml, bluetooth_name: HRM, address: "C0:FF:EE:00:00:02" }
        """
    private static let configuration = """
        devices:
          left: { family: buzz, address: "C0:FF:EE:00:00:01" }
          anna: { family: heart, address: "C0:FF:EE:00:00:02" }
        """
    private static let environment = ["TACTILE_BRIDGE_HAPTICS_DIRECTORY": "\(root)/config/patterns"]

    private func start() throws -> (Bench, Program) {
        let bench = try Bench()
        let simulator = try bench.startSimulator(scenario: Self.scenario)
        try bench.startBridge(configuration: Self.configuration, environment: Self.environment)
        try bench.watcher.expectAll(
            ["left/availability": "online", "anna/availability": "online"], within: .seconds(20))
        return (bench, simulator)
    }

    /// Waits until the simulator reports that a text with this prefix was written.
    private func expectText(_ text: String, _ simulator: Program) throws {
        let digits = text.utf8.map { String(format: "%02x", $0) }.joined()
        _ = try simulator.expect("the text \(text)") {
            $0["event"] == "write" && $0["hex"]?.string?.hasPrefix(digits) ?? false
        }
    }

    @Test("Reports are published, commands are written, and every pattern plays")
    func bothWays() throws {
        let (bench, simulator) = try start()
        try bench.act(#"strap rate {"rate":72}"#)
        try bench.watcher.expect("anna/rate", "72")
        try bench.expectOK("left/motors/set", "[255, 0, 0, 0]")
        try expectText("motors vibrate /wAAAA==", simulator)
        try bench.expectOK("left/haptic/set", #"{"pattern":"knock"}"#)
        try expectText("motors vibrate ", simulator)
        let refusal = try bench.ask("left/motors/set", "[256, 0, 0, 0]")
        #expect(refusal["code"] == "out_of_range")
        try bench.expectOK("all/hearts/reset_energy/set", "{}")
    }

    @Test("A stop of all devices is written, and the guardian writes the will when the bridge is killed")
    func stops() throws {
        let (bench, simulator) = try start()
        try bench.expectOK("left/motors/set", "[255, 255, 255, 255]")
        try expectText("motors vibrate /////w==", simulator)
        try bench.expectOK("all/stop/set", "{}")
        try expectText("motors vibrate AAAAAA==", simulator)
        try bench.expectOK("left/motors/set", "[9, 9, 9, 9]")
        try bench.endBridge(with: SIGKILL)
        try expectText("motors stop", simulator)
    }

    @Test("A device file matches manufacturer data, and ignores a device with other data")
    func manufacturer() throws {
        func tag(_ data: String) -> String {
            """
            version: 1
            family: tag
            title: Example tag
            source: https://example.org/tag
            match: [ { manufacturer: 0x0059, data: "\(data)" } ]
            join: plain
            naming: each
            characteristics: { light: { service: ffe0, uuid: ffe1 } }
            setup: [ { subscribe: light } ]
            features:
              light: { summary: How bright it is., kind: state, from: light, packet: [ { light: u8 } ] }

            """
        }
        let bench = try Bench()
        let folder = bench.folder.file("devices")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try tag("02..07").write(toFile: "\(folder)/tag.yaml", atomically: true, encoding: .utf8)
        let (own, other) = (
            try bench.folder.write(tag("020007"), to: "own.yaml"),
            try bench.folder.write(tag("020008"), to: "other.yaml")
        )
        try bench.startSimulator(
            scenario: """
                devices:
                  own: { kind: file, file: \(own), address: "C0:FF:EE:00:00:01" }
                  other: { kind: file, file: \(other), address: "C0:FF:EE:00:00:02" }
                """)
        try bench.startBridge(environment: ["TACTILE_BRIDGE_DEVICES_DIRECTORY": folder])
        try bench.watcher.expect("tag/000001/availability", "online", within: .seconds(20))
        try bench.act(#"own light {"light":40}"#)
        try bench.watcher.expect("tag/000001/light", "40")
        #expect(!bench.watcher.seen.contains { $0.topic.hasPrefix("tag/000002/") })
    }

    @Test("The simulator answers a write that waits for a packet, in the setup and with fields in the write")
    func packetWaits() throws {
        let bench = try Bench()
        try FileManager.default.createDirectory(
            atPath: bench.folder.file("devices"), withIntermediateDirectories: true)
        let file = try bench.folder.write(
            """
            version: 1
            family: pump
            title: Example pump
            source: https://example.org/pump
            match: [ { name: "Pump*" } ]
            join: plain
            characteristics:
              in: { service: ffe0, uuid: ffe1 }
              out: { service: ffe0, uuid: ffe2 }
            setup:
              - subscribe: out
              - write: { to: in, hex: "01", wait: { from: out, packet: [ { literal: "81" }, { version: u8, minimum: 2 } ] } }
            features:
              level:
                summary: How fast it pumps.
                command:
                  fields: { level: { type: integer } }
                  write: { to: in, packet: [ { literal: "02" }, { level: u8 } ], wait: { from: out, packet: [ { _done: u8, equals: 130 }, { level: u8 } ] } }

            """, to: "devices/pump.yaml")
        try bench.startSimulator(
            scenario: "devices: { one: { kind: file, file: \(file), address: \"C0:FF:EE:00:00:01\" } }")
        try bench.startBridge(
            configuration: "devices: { pump: { family: pump, address: \"C0:FF:EE:00:00:01\" } }",
            environment: ["TACTILE_BRIDGE_DEVICES_DIRECTORY": bench.folder.file("devices")])
        try bench.watcher.expect("pump/availability", "online", within: .seconds(20))
        try bench.expectOK("pump/level/set", #"{"level":7}"#)
    }

    private static let lamp = """
        version: 1
        family: lamp
        title: Example lamp
        source: https://example.org/lamp
        match: [ { name: "Lamp*" } ]
        naming: each
        characteristics:
          light: { service: ffe0, uuid: ffe1 }
        setup: [ { subscribe: light } ]
        features:
          brightness:
            summary: How bright it is.
            kind: state
            from: light
            packet: [ { brightness: u8, unit: "%" } ]
            command:
              fields: { brightness: { type: integer, minimum: 0, maximum: 100, required: true } }
              shorthand: brightness
              write: { to: light, packet: [ { brightness: u8 } ] }

        """

    @Test(
        "After a reload a new file adds a family with topics, commands and discovery; a bad one is reported and ignored"
    )
    func reload() throws {
        let bench = try Bench()
        let folder = bench.folder.file("devices")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let beside = try bench.folder.write(Self.lamp, to: "lamp.yaml")
        let simulator = try bench.startSimulator(
            scenario:
                "devices: { hall: { kind: file, file: \(beside), bluetooth_name: Lamp 7, address: \"C0:FF:EE:00:00:07\" } }"
        )
        try bench.startBridge(environment: ["TACTILE_BRIDGE_DEVICES_DIRECTORY": folder])
        try bench.watcher.expect("bridge/test/availability", "online")

        try Self.lamp.write(toFile: "\(folder)/lamp.yaml", atomically: true, encoding: .utf8)
        var answer = try bench.ask("bridge/test/request/reload", "")
        #expect(answer["families"]?["added"] == ["lamp"])
        let entry = try bench.watcher.expect("bridge/test/devices", within: .seconds(20)) {
            $0.json.array?.contains { $0["family"] == "lamp" && $0["availability"] == "online" } ?? false
        }
        let name = try #require(entry.json.array?.first?["name"]?.string)
        try bench.expectOK("\(name)/brightness/set", "80")
        _ = try simulator.expect("the write") { $0["event"] == "write" && $0["hex"] == "50" }
        try bench.act(#"hall brightness {"brightness":81}"#)
        try bench.watcher.expect("\(name)/brightness", "81")
        // A reading is announced with its first value.
        let discovery = try bench.watchAnew().expect(
            "homeassistant/device/tactile_bridge_c0ffee000007/config", fromStart: true
        ) { $0.payload.contains("\(name)/brightness") }
        #expect(discovery.payload.contains("Example lamp"))

        let bad = Self.lamp.replacing("u8, unit", with: "u9, unit")
        try bad.write(toFile: "\(folder)/lamp.yaml", atomically: true, encoding: .utf8)
        answer = try bench.ask("bridge/test/request/reload", "")
        #expect(answer["status"] == "ok" && answer["changed"] == [])
        let problem = answer["left_out"]?.array?.first?.string ?? ""
        #expect(problem.contains("lamp.yaml:15:") && problem.contains("u9"), "\(problem)")
        try bench.expectOK("\(name)/brightness/set", "20")
    }

    @Test("A feature without its characteristic is not published, and its command is rejected")
    func lacking() throws {
        let bench = try Bench()
        let folder = bench.folder.file("devices")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        // The bridge's file contains a characteristic that the simulated lamp does not have.
        let beside = try bench.folder.write(Self.lamp, to: "lamp.yaml")
        let bell = """
              bell:
                summary: Rings.
                command: { write: { to: bell, hex: "01" } }

            """
        let place = "  light: { service: ffe0, uuid: ffe1 }\n"
        try
            (Self.lamp.replacing(
                place, with: place + "  bell: { service: ffe0, uuid: ffe2, optional: true }\n") + bell)
            .write(toFile: "\(folder)/lamp.yaml", atomically: true, encoding: .utf8)
        _ = try bench.startSimulator(
            scenario:
                "devices: { hall: { kind: file, file: \(beside), bluetooth_name: Lamp 7, address: \"C0:FF:EE:00:00:07\" } }"
        )
        try bench.startBridge(
            configuration: "devices: { hall: { family: lamp, address: \"C0:FF:EE:00:00:07\" } }",
            environment: ["TACTILE_BRIDGE_DEVICES_DIRECTORY": folder])
        try bench.watcher.expect("hall/availability", "online", within: .seconds(20))
        let features = try bench.watchAnew().expect("hall/features", fromStart: true)
        #expect(features.json["brightness"] != nil && features.json["bell"] == nil)
        let family = try bench.watchAnew().expect("bridge/test/features/lamp", fromStart: true)
        #expect(family.json["bell"] != nil)
        try bench.act(#"hall brightness {"brightness":81}"#)
        let discovery = try bench.watchAnew().expect(
            "homeassistant/device/tactile_bridge_c0ffee000007/config", fromStart: true
        ) { $0.payload.contains("hall/brightness") }
        #expect(!discovery.payload.contains("hall/bell"))
        let answer = try bench.ask("hall/bell/set", "")
        #expect(answer["code"] == "not_supported")
        #expect(answer["message"] == "this Example lamp lacks the characteristic bell")
    }
}
