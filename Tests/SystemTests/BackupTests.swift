import EventLoop
import HostTesting
import JSON
import Testing

@Suite("Moving a bridge to another host", .serialized)
struct BackupTests {
    private static let scenario = """
        devices:
          belt: { address: "C0:FF:EE:00:00:01", choices: { pairing: anytime } }
          tap: { address: "C0:FF:EE:00:00:02" }
        """
    private static let configuration = """
        log: { mqtt: info }
        devices: { pen: { family: tap, address: "C0:FF:EE:00:00:02" } }

        """
    private static let environment = [
        "TACTILE_BRIDGE_BLUETOOTH_JOIN": "permit", "TACTILE_BRIDGE_MQTT_USERNAME": "anna",
        "TACTILE_BRIDGE_MQTT_PASSWORD": "s3cr3t",
    ]

    @Test(
        "Joined devices keep their names on the new host, the file is the same, and no secret is exported"
    )
    func move() throws {
        let bench = try Bench()
        try bench.startSimulator(scenario: Self.scenario)
        try bench.startBridge(
            configuration: Self.configuration, environment: Self.environment)
        try bench.watcher.expect("bridge/test/availability", "online")
        try bench.expectOK("bridge/test/request/permit_join", #"{"seconds":60,"families":["belt"]}"#)
        try bench.watcher.expect("belt/availability", "online", within: .seconds(30))
        try bench.expectOK("bridge/test/request/rename", #"{"device":"belt","to":"hall/belt"}"#)

        let answer = try bench.ask("bridge/test/request/backup", "")
        #expect(answer["status"] == "ok")
        #expect(!answer.description.contains("s3cr3t"))
        #expect(answer["left_out"] == ["mqtt.password"])
        #expect(answer["pair_again"]?.array?.contains("pen") == true)
        let backup = try #require(answer["backup"])
        #expect(backup["devices"]?.array?.map { $0["name"] } == ["hall/belt"])
        #expect(backup["settings"]?["log"]?["mqtt"] == "info")
        try bench.endBridge(with: 15)
        try bench.watcher.expect("hall/belt/availability", "offline")

        // Another bus, another state folder, and the settings of the backup as the configuration file.
        let host = try Bench(besides: bench)
        try host.startSimulator(scenario: Self.scenario)
        try host.startBridge(
            configuration: backup["settings"]?.description ?? "", environment: Self.environment)
        try bench.watcher.expect("bridge/test/availability", "online")
        let restored = try host.ask(
            "bridge/test/request/restore", JSON.Value.object(["backup": backup]).description)
        #expect(restored["restored"] == ["hall/belt"])
        #expect(restored["skipped"] == [])
        try bench.watcher.expect("hall/belt/availability", "online", within: .seconds(30))
        try host.expectOK("hall/belt/intensity/set", "60")

        // The bridge saves what it restored.
        try host.endBridge(with: 15)
        try bench.watcher.expect("hall/belt/availability", "offline")
        try host.startBridge(environment: Self.environment)
        try bench.watcher.expect("hall/belt/availability", "online", within: .seconds(30))
    }
}
