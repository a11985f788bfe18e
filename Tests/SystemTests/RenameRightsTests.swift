import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Rights that renaming must not pass on, on a real broker with the lists of acl", .serialized)
struct RenameRightsTests {
    private static let roles = [
        "viewer", "operator", "driver", "typist", "recorder", "restorer", "log-reader", "admin",
    ]
    private static let devices = [
        (name: "tap/8c176e", family: "tap", address: "D7:A9:E0:8C:17:6E"),
        (name: "robot", family: "robot", address: "C0:FF:EE:00:BE:02"),
    ]
    /// A lamp of another manufacturer, whose harmless features have the names of hazardous and private ones.
    private static let lamp = """
        version: 1
        family: lamp
        title: Example lamp
        source: https://example.org/lamp
        match: [ { name: "Lamp *" } ]
        join: plain
        naming: each
        characteristics: { light: { service: ffe0, uuid: ffe1 } }
        setup: [ { subscribe: light } ]
        features:
          power:
            summary: Whether it shines.
            command:
              fields: { power: { type: boolean, required: true } }
              shorthand: power
              write: { to: light, packet: [ { power: u8 } ] }
          drive:
            summary: How fast it changes its color.
            command:
              fields: { speed: { type: integer, minimum: 0, maximum: 100, default: 0 } }
              shorthand: speed
              write: { to: light, packet: [ { speed: u8 } ] }
          tapped: { summary: How often it was tapped., kind: state, from: light, packet: [ { tapped: u8 } ] }
        """
    /// Names on which a role has rights or may get some: below reserved roots, and below those of other
    /// families, one of which only another bridge has.
    private static let targets =
        roles.map { "reply/\($0)/t" } + [
            "reply", "zone/x", "bridge/x", "roster/x", "claim/x", "all/x", "homeassistant/device/x", "lamp",
            "lamp/x",
            "belt", "belt/x", "heater/x", "x/action", "x/state",
        ]

    private let bench: Bench
    private let folder: TemporaryDirectory

    /// Starts a broker with the lists of all roles, a bridge with its own list, a TAP and a robot.
    init() throws {
        folder = try TemporaryDirectory()
        let list = try folder.write("", to: "access")
        chmod(list, 0o600)
        let families = folder.file("devices")
        mkdir(families, 0o755)
        try folder.write(Self.lamp, to: "devices/lamp.yaml")
        let configuration = "devices_directory: \(families)\n"
        let file = try folder.write(configuration, to: "bridge.yaml")
        var text = "topic readwrite #\n\n"
        for role in Self.roles + ["bridge"] {
            let rights = try TestProcess.run(
                [
                    "sh", "-c",
                    "TACTILE_BRIDGE_BRIDGE_ID=test \(Program.folder)/tactile-bridge acl --role \(role) --user \(role) "
                        + "--config \(file) 2>\(folder.file("warnings"))",
                ])
            #expect(rights.contains("user \(role)\n"))
            text += rights + "\n"
        }
        try folder.write(text, to: "access")
        chmod(list, 0o600)
        let users = Self.roles + ["bridge"]
        bench = try Bench(
            users: Dictionary(uniqueKeysWithValues: users.map { ($0, "secret") }),
            brokerLines: ["allow_anonymous true", "acl_file \(list)"])
        try bench.startSimulator(
            scenario: """
                devices:
                  tap: { bonded: true, address: "\(Self.devices[0].address)" }
                  robot: { address: "\(Self.devices[1].address)" }
                """)
        try bench.publish("bridge/hall/families", #"[{"name":"heater"}]"#, ["-r"])
        try bench.startBridge(
            configuration: configuration,
            environment: ["TACTILE_BRIDGE_MQTT_USERNAME": "bridge", "TACTILE_BRIDGE_MQTT_PASSWORD": "secret"])
        try bench.watcher.expectAll(
            Dictionary(uniqueKeysWithValues: Self.devices.map { ("\($0.name)/availability", "online") }),
            within: .seconds(20))
    }

    /// Publishes each line as a message from a user whose access may be denied.
    private func send(as user: String, _ topic: String, _ lines: [String], _ options: String = "") throws {
        let file = try folder.write(lines.map { $0 + "\n" }.joined(), to: "lines")
        let broker = bench.broker.arguments.joined(separator: " ")
        let process = try TestProcess([
            "sh", "-c",
            "mosquitto_pub -q 1 -u \(user) -P secret \(broker) \(options) -t \(topic) -l < \(file)",
        ])
        _ = process.end(with: nil)
    }

    /// Publishes one message on each topic, as a user whose access may be denied.
    private func send(as user: String, _ messages: [(topic: String, payload: String)]) throws {
        let broker = bench.broker.arguments.joined(separator: " ")
        let lines = messages.map { topic, payload in
            "mosquitto_pub -q 1 -u \(user) -P secret \(broker) -t \(topic) -m '\(payload)' &"
        }
        try TestProcess.run([
            "sh", try folder.write((lines + ["wait\n"]).joined(separator: "\n"), to: "each"),
        ])
    }

    /// Waits until the watcher has read all earlier messages.
    private func expectEnd() throws {
        let marker = "end/\(UInt32.random(in: 0...UInt32.max))"
        try bench.publish(marker, "")
        try bench.watcher.expect(marker)
    }

    /// Tries to rename each device to each target, with each kind of request.
    private func rename(as role: String) throws {
        for device in Self.devices {
            let key = device.address.replacing(":", with: "").lowercased()
            for bridge in ["test", "all"] {
                try send(
                    as: role, "bridge/\(bridge)/request/rename",
                    Self.targets.map { #"{"device":"\#(device.name)","to":"\#($0)"}"# })
            }
            try send(
                as: role, "bridge/test/request/restore",
                Self.targets.map { name in
                    let entry =
                        #"{"name":"\#(name)","family":"\#(device.family)","address":"\#(device.address)"}"#
                    return #"{"backup":{"version":1,"devices":[\#(entry)],"settings":{}}}"#
                })
            try send(
                as: role, "roster/\(key)",
                Self.targets.map { name in
                    #"{"v":1,"name":"\#(name)","family":"\#(device.family)","by":"x","time":"2026-01-31T12:00:00.000Z"}"#
                }, "-r")
        }
    }

    @Test(
        "No role can give another role a device's commands or typed text by rename, restore or the roster"
    )
    func pairs() throws {
        let watchers = try Self.roles.map { role in
            (role: role, watcher: try Watcher(bench.broker, isThere: true, user: role))
        }
        // The broker drops messages for a client that has not read more than a thousand.
        func readAll(until step: String) throws {
            for (role, watcher) in watchers {
                try bench.publish("reply/\(role)/\(step)", "")
                try watcher.expect("reply/\(role)/\(step)")
            }
        }
        for actor in Self.roles {
            try rename(as: actor)
            try readAll(until: "after-\(actor)")
        }
        // The bridge answers this request after all earlier ones.
        try bench.publish("bridge/test/request/devices", "")
        let devices = try bench.watcher.expect("bridge/test/response/devices").json["devices"]?.array ?? []
        #expect(Set(devices.compactMap { $0["name"]?.string }) == Set(Self.devices.map(\.name)), "\(devices)")
        try expectEnd()
        #expect(bench.watcher.seen.contains { $0.topic == "bridge/test/response/rename" })
        #expect(bench.watcher.seen.contains { $0.topic == "bridge/test/response/restore" })
        #expect(bench.watcher.seen.contains { $0.topic.hasPrefix("roster/") && $0.json["name"] == "lamp/x" })

        // Only the driver can switch the robot on, whatever its name.
        let names = Self.targets + Self.devices.map(\.name) + ["all", "all/robots", "all/lamps"]
        for role in Self.roles where role != "driver" {
            try send(
                as: role,
                names.flatMap {
                    [("\($0)/power/set", "on"), ("\($0)/drive/set", #"{"speed":100,"direction":0}"#)]
                })
        }
        try readAll(until: "tap")
        try bench.act("tap 5")
        try bench.watcher.expect("\(Self.devices[0].name)/tapped", fromStart: true)
        try expectEnd()
        let foreign = bench.watcher.seen.filter {
            $0.topic.hasSuffix("/power/set") || $0.topic.hasSuffix("/drive/set")
        }
        #expect(foreign.isEmpty, "\(foreign)")
        try readAll(until: "end")
        for (role, watcher) in watchers {
            let typed = watcher.seen.contains {
                $0.topic.hasSuffix("/tapped") || $0.payload.hasPrefix("{\"combination\"")
            }
            #expect(typed == (role == "typist"), "\(role)")
        }

        // Requests within a role's rights still work.
        try send(as: "operator", "bridge/test/request/rename", [#"{"device":"robot","to":"robot/hall"}"#])
        try bench.watcher.expect("robot/hall/availability", "online")
    }
}
