import BridgeContract
import DeviceKit
import Foundation
import JSON
import Testing

@testable import BridgeConfiguration

@Suite("The backup of a configuration")
struct ConfigurationBackupTests {
    private static let text = """
        bridge: { id: "007" }
        mqtt: { port: 1884, username: anna, version: 5, tls: { ca_file: /ca, enabled: false } }
        lamp: { glow_ms: 20, steps: [1, 2], limits: { low: 1 } }
        devices:
          hall/a: { family: lamp, address: AA:BB:CC:DD:EE:01, area: "Hall: 1", glow_ms: 30 }
          b: { family: lamp, address: aa:bb:cc:dd:ee:02 }
        groups: { both: [b, hall/a] }
        log: { level: debug }
        """

    @Test("A backup read as a file gives the same settings, without derived values and passwords")
    func roundTrip() async throws {
        try await ConfigurationScope.with { scope in
            let environment = [
                "TACTILE_BRIDGE_MQTT_PASSWORD": "s3cr3t", "TACTILE_BRIDGE_MQTT_KEEP_ALIVE_S": "7",
            ]
            let first = try scope.load(Self.text, environment: environment)
            let settings = first.backup.settings
            let text = JSON.Value.object(settings).description
            #expect(!text.contains("s3cr3t"))
            #expect(first.backup.leftOut == ["mqtt.password"])
            #expect(settings["mqtt"]?["keep_alive_s"] == 7)
            #expect(settings["bridge"] == ["id": "007"])
            #expect(settings["metrics"] == nil)
            #expect(
                settings["devices"]?["hall/a"] == [
                    "glow_ms": 30, "family": "lamp", "address": "AA:BB:CC:DD:EE:01", "area": "Hall: 1",
                ])
            let second = try scope.load(text, environment: environment)
            #expect(second.settings == first.settings)
            #expect(second.backup == first.backup)
        }
    }

    @Test("Differences are listed by path; a device in only one of the two is one path")
    func differences() async throws {
        try await ConfigurationScope.with { scope in
            let one = try scope.load(Self.text).backup
            #expect(one.differences(from: one.settings) == [])
            let other = try scope.load(
                "mqtt: { port: 1884, username: ben }\nmetrics: { listen: \"[::1]:1\" }"
            ).backup
            #expect(
                one.differences(from: other.settings) == [
                    "bridge", "devices", "groups", "lamp", "log", "metrics", "mqtt.tls", "mqtt.username",
                    "mqtt.version",
                ])
        }
    }
}
