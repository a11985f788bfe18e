import DeviceCatalog
import EventLoop
import HostTesting
import MQTT
import Testing

@testable import BridgeConfiguration
@testable import Commands

@Suite("doctor detects missing capabilities of a broker, and runs next to another doctor")
struct BrokerNeedTests {
    private static func probe(port: UInt16, version: String = "auto") throws -> BrokerProbe {
        let environment = [
            "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1", "TACTILE_BRIDGE_MQTT_PORT": "\(port)",
            "TACTILE_BRIDGE_MQTT_VERSION": version, "TACTILE_BRIDGE_BRIDGE_ID": "attic",
            "TACTILE_BRIDGE_MQTT_CLIENT_ID": "chosen",
        ]
        let host = Host(environment: environment, name: "attic")
        let settings = try SettingsLoader(
            families: Registry.families, host: host, usualFile: "/nonexistent"
        ).load().settings
        return BrokerProbe(settings: settings, families: Registry.families, named: [], host: host)
    }

    private static func facts(_ broker: TestBroker, version: String = "auto") async throws -> BrokerFacts {
        let probe = try probe(port: broker.port, version: version)
        let loop = try EventLoop.start(name: "doctor")
        defer { loop.stop() }
        return await withTaskExecutorPreference(loop) { await probe.facts(on: loop) }
    }

    @Test(
        "A broker that rejects the bridge's last will is a problem with the missing capability",
        arguments: [
            ("retain_available false", "auto", "retain_available false"),
            ("retain_available false", "3.1.1", "retain_available false"),
        ])
    func needs(line: String, version: String, remedy: String) async throws {
        var options = TestBroker.Options()
        options.lines = [line]
        let facts = try await Self.facts(try TestBroker(options), version: version)
        let problem = try #require(facts.findings.first { $0.verdict == .problem }, "\(facts.findings)")
        #expect(problem.check == .broker && problem.summary.contains("last will"))
        #expect(problem.remedies.contains { $0.contains(remedy) }, "\(problem.remedies)")
    }

    @Test("doctor's last will is never published")
    func will() async throws {
        let broker = try TestBroker()
        try TestProcess.run(
            ["mosquitto_pub"] + broker.arguments + ["-r", "-t", "bridge/attic/availability", "-m", "online"])
        let facts = try await Self.facts(broker)
        #expect(facts.isWillAccepted && facts.isBridgeOnline == true)
        let kept = try TestProcess.run(
            ["mosquitto_sub"] + broker.arguments + ["-C", "1", "-W", "5", "-t", "bridge/attic/availability"])
        #expect(kept == "online")
    }

    @Test("Each doctor has unique client ids with the bridge's as a prefix, with a configured client id too")
    func clientIDs() throws {
        let probes = [try Self.probe(port: 1883), try Self.probe(port: 1883)]
        let ids = probes.flatMap { probe in
            probe.settings.mqtt.servers.map { probe.configuration("doctor", $0).clientID }
        }
        #expect(ids.count == 2 && Set(ids).count == 2, "\(ids)")
        #expect(ids.allSatisfy { $0.hasPrefix("chosen-doctor-") }, "\(ids)")
    }

    @Test("Two concurrent doctors find the same as one, with a configured client id too")
    func together() async throws {
        let broker = try TestBroker()
        async let first = Self.facts(broker)
        async let second = Self.facts(broker)
        for facts in try await [first, second] {
            #expect(facts.isAccepted && facts.isHeard == true, "\(facts.findings)")
            #expect(!facts.findings.contains { $0.verdict == .problem }, "\(facts.findings)")
            // Mosquitto keeps 1,000 of the messages of both doctors; messages of the other doctor are not counted.
            let queued = try #require(facts.fleet?.queued)
            #expect((1...1_100).contains(queued))
        }
    }
}
