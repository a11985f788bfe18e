import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Write access to the roster of a fleet", .serialized)
struct RosterAccessTests {
    private static let roles = ["bridge", "viewer", "operator", "driver", "admin", "sealed"]

    /// The rights that `acl` prints for a user.
    private static func rights(
        _ role: String, _ user: String, _ environment: [String] = [], _ options: [String] = []
    ) throws -> String {
        try TestProcess.run(
            ["env", "TACTILE_BRIDGE_BRIDGE_ID=test"] + environment + [
                "\(Program.folder)/tactile-bridge", "acl", "--role", role, "--user", user,
            ] + options)
    }

    private static let entry =
        #"{"v":1,"name":"forged","family":"belt","by":"x","time":"2026-01-31T12:00:00.000Z"}"#

    @Test("Mosquitto lets only admin and bridges in which devices may join write the roster")
    func roles() throws {
        let folder = try TemporaryDirectory()
        let list = try folder.write("topic readwrite #\n", to: "access")
        chmod(list, 0o600)
        var text = "topic readwrite #\n\n"
        for role in Self.roles where role != "sealed" { text += try Self.rights(role, role) + "\n" }
        text += try Self.rights("bridge", "sealed", ["TACTILE_BRIDGE_BLUETOOTH_JOIN=configured"])
        try folder.write(text, to: "access")
        chmod(list, 0o600)
        let bench = try Bench(
            users: Dictionary(uniqueKeysWithValues: Self.roles.map { ($0, "secret") }),
            brokerLines: ["allow_anonymous true", "acl_file \(list)"])
        try bench.startSimulator(scenario: "devices: { belt: }\n")
        try bench.startBridge(
            environment: [
                "TACTILE_BRIDGE_MQTT_USERNAME": "bridge", "TACTILE_BRIDGE_MQTT_PASSWORD": "secret",
            ])
        try bench.watcher.expect("belt/availability", "online")
        // The bridge itself adds its device.
        try bench.watcher.expect("roster/c0ffee00be01", fromStart: true) { $0.json["name"] == "belt" }

        for role in Self.roles where !["admin", "bridge"].contains(role) {
            try bench.send(as: role, "roster/c0ffee00be01", Self.entry)
            // A bridge may write below its own id.
            if role != "sealed" { try bench.send(as: role, "bridge/test/request/drain", "") }
        }
        try bench.send(as: "admin", "roster/c0ffee00be02", Self.entry)
        try bench.watcher.expect("roster/c0ffee00be02") { $0.json["name"] == "forged" }
        // Rejected messages of the others would have arrived earlier.
        let forged = bench.watcher.seen.filter {
            $0.topic == "roster/c0ffee00be01" && $0.json["name"] == "forged"
        }
        #expect(forged.isEmpty, "\(forged)")
        #expect(!bench.watcher.seen.contains { $0.topic == "bridge/test/request/drain" })
        try bench.publish("belt/intensity/set", "55")
        try bench.watcher.expect("belt/intensity", "55")

        // The topics that read-only users may read.
        let shown = try TestProcess.run(
            [
                "env", "TACTILE_BRIDGE_MQTT_HOST=127.0.0.1", "TACTILE_BRIDGE_MQTT_PORT=\(bench.broker.port)",
                "TACTILE_BRIDGE_MQTT_USERNAME=viewer", "TACTILE_BRIDGE_MQTT_PASSWORD=secret",
                "\(Program.folder)/tactile-bridge", "fleet", "devices",
            ])
        #expect(shown.contains("belt") && shown.contains("forged"), "\(shown)")
        // The printed list includes groups that exist only on the broker.
        try bench.send(
            as: "admin", "roster/groups",
            #"{"v":1,"groups":{"wearers":["belt"]},"by":"x","time":"2026-01-31T12:00:00.000Z"}"#)
        try bench.watcher.expect("roster/groups", fromStart: true) { !$0.payload.isEmpty }
        let login = [
            "TACTILE_BRIDGE_MQTT_HOST=127.0.0.1", "TACTILE_BRIDGE_MQTT_PORT=\(bench.broker.port)",
            "TACTILE_BRIDGE_MQTT_USERNAME=viewer", "TACTILE_BRIDGE_MQTT_PASSWORD=secret",
        ]
        let lines = ["topic write forged/vibrate/set", "topic write wearers/vibrate/set"]
        let without = try Self.rights("operator", "anna")
        #expect(lines.allSatisfy { !without.contains($0 + "\n") })
        let whole = try Self.rights("operator", "anna", login, ["--fleet"])
        #expect(lines.allSatisfy { whole.contains($0 + "\n") }, "\(whole)")
        let ofBridge = try Self.rights("bridge", "test", login, ["--fleet"])
        #expect(
            ofBridge.contains("topic read wearers/+/set\n")
                && ofBridge.contains("topic write wearers/result\n"))

        let file = try bench.folder.write("devices: {}\n", to: "fleet.yaml")
        let program = try Program(
            "tactile-bridge", ["fleet", "apply", file, "--prune"],
            environment: [
                "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1", "TACTILE_BRIDGE_MQTT_PORT": "\(bench.broker.port)",
                "TACTILE_BRIDGE_MQTT_USERNAME": "viewer", "TACTILE_BRIDGE_MQTT_PASSWORD": "secret",
            ])
        var said = ""
        while let line = program.nextLine(within: .seconds(30)) { said += line }
        #expect(program.wait() != 0 && said.contains("role admin"), "\(said)")
    }
}

extension Bench {
    /// Publishes a retained message as a broker's user whose access may be denied.
    fileprivate func send(as user: String, _ topic: String, _ payload: String) throws {
        let process = try TestProcess(
            ["mosquitto_pub", "-V", "5", "-q", "1", "-r", "-u", user, "-P", "secret"] + broker.arguments
                + ["-t", topic, "-m", payload])
        _ = process.end(with: nil)
    }
}
