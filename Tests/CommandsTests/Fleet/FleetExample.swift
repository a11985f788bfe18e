import Bluetooth
import BridgeConfiguration
import BridgeContract
import DeviceCatalog
import DeviceKit
import HostTesting

@testable import Commands

/// A fleet of three bridges, and files for it.
enum FleetExample {
    static let time = TimeStamp(milliseconds: 1_800_000_000_000)
    static let reader = RosterReader(Registry.families, reserved: ["homeassistant"])

    static func entry(_ name: String, _ more: String = "") -> String {
        #"{"v":1,"name":"\#(name)","family":"belt",\#(more)"by":"attic","time":"2026-01-31T12:00:00.000Z"}"#
    }

    static func snapshot(baseTopic: String = "", _ messages: [(String, String)]) -> FleetSnapshot {
        var snapshot = FleetSnapshot(reader, baseTopic: baseTopic)
        for (topic, payload) in messages { snapshot.hear(topic, Array(payload.utf8)) }
        return snapshot
    }

    /// Two belts; the second is claimed by a bridge that is offline.
    static var fleet: FleetSnapshot {
        snapshot([
            ("bridge/attic/availability", "online"),
            (
                "bridge/attic/info",
                #"{"version":"0.2.0","host":"attic.example","zone":"upstairs","fleet_protocol":1,"draining":false,"slots":3,"#
                    + #""devices":{"known":2,"online":1}}"#
            ),
            (
                "bridge/attic/devices",
                #"[{"name":"belt","family":"belt","address":"C0:FF:EE:00:BE:01"},"#
                    + #"{"name":"tap/a1b2c3","family":"tap","address":"C0:FF:EE:A1:B2:C3"}]"#
            ),
            ("bridge/cellar/availability", "offline"),
            ("bridge/cellar/info", #"{"version":"0.1.0","devices":{"known":1,"online":1}}"#),
            ("bridge/hall/availability", "online"),
            ("bridge/hall/info", #"{"version":"0.2.0","draining":true}"#),
            ("roster/c0ffee00be01", entry("belt")), ("roster/c0ffee00be02", entry("belt/be02")),
            (
                "belt/connection",
                #"{"state":"connected","bridge":"attic","address":"C0:FF:EE:00:BE:01","rssi":-60}"#
            ),
            (
                "belt/be02/connection",
                #"{"state":"connected","bridge":"cellar","address":"C0:FF:EE:00:BE:02","rssi":-70}"#
            ),
        ])
    }

    /// Reads a text as a file of a fleet.
    static func file(_ text: String) throws -> FleetFile {
        let folder = try TemporaryDirectory()
        let path = try folder.write(text, to: "fleet.yaml")
        return try FleetFile(path: path, families: Registry.families, reserved: ["homeassistant"])
    }
}
