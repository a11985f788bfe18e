import DeviceCatalog
import EventLoop
import HostTesting
import MQTT
import Testing

@testable import BridgeConfiguration
@testable import Commands
@testable import Reference

@Suite("doctor checks brokers for many bridges", .timeLimit(.minutes(2)))
struct BrokerFleetTests {
    private static func broker(_ lines: [String]) throws -> TestBroker {
        var options = TestBroker.Options()
        options.lines = lines
        return try TestBroker(options)
    }

    private static func facts(_ ports: UInt16...) async throws -> BrokerFacts {
        let loader = SettingsLoader(
            families: Registry.families, host: Host(environment: [:], name: "attic"),
            usualFile: "/nonexistent")
        var settings = try loader.load().settings
        settings.mqtt.servers = ports.map { .init(host: "127.0.0.1", port: $0) }
        let probe = BrokerProbe(
            settings: settings, families: Registry.families, named: [], host: loader.host)
        let loop = try EventLoop.start(name: "doctor")
        defer { loop.stop() }
        return await withTaskExecutorPreference(loop) { await probe.facts(on: loop) }
    }

    private static func publish(_ broker: TestBroker, _ topic: String) throws {
        try TestProcess.run(["mosquitto_pub"] + broker.arguments + ["-r", "-t", topic, "-m", "{}"])
    }

    @Test(
        "Mosquitto's defaults drop a slow client's messages and delay answers; the recommended lines do not")
    func limits() async throws {
        let (usual, advised) = (try Self.broker([]), try Self.broker(MosquittoLines.all.map(\.line)))
        try Self.publish(advised, "bridge/attic/info")
        let found = try await Self.facts(usual.port).fleet
        let poor = try #require(found)
        let (queued, delay) = (try #require(poor.queued), try #require(poor.delay))
        #expect((1..<BrokerProbe.queueLength).contains(queued))
        #expect(delay > BrokerFacts.Fleet.company)
        #expect(poor.sendsRetained == nil)
        #expect(poor.findings.map(\.verdict) == [.warning, .warning])
        let remedies = poor.findings.flatMap(\.remedies).joined()
        #expect(remedies.contains("max_queued_messages 100000") && remedies.contains("set_tcp_nodelay true"))
        let other = try await Self.facts(advised.port).fleet
        let good = try #require(other)
        #expect(good.queued == BrokerProbe.queueLength && good.sendsRetained == true)
        #expect(good.findings.isEmpty, "\(good)")
    }

    @Test("A broker that sends no retained messages for a wildcard is a problem")
    func retained() {
        let findings = BrokerFacts.Fleet(sendsRetained: false).findings
        #expect(findings.map(\.verdict) == [.problem])
    }

    @Test("Each of several brokers is tested, and whether they have the same messages")
    func several() async throws {
        let lines = MosquittoLines.all.map(\.line)
        let second = try Self.broker(lines)
        let pair = [
            "connection pair", "address 127.0.0.1:\(second.port)", "bridge_protocol_version mqttv50",
            "topic # both 1", "notifications false",
        ]
        let (first, alone) = (try Self.broker(lines + pair), try Self.broker(lines))
        try Self.publish(first, "bridge/attic/info")
        let absent = try TestBroker.freePort()
        let facts = try await Self.facts(absent, first.port, second.port, alone.port)
        let findings = facts.findings
        #expect(facts.settings.port == Int(first.port))
        let others = findings.suffix(3)
        #expect(others.map(\.verdict) == [.warning, .ok, .problem], "\(findings)")
        let (dead, mirrored, lone) = (findings.suffix(3).first, others.dropFirst().first, findings.last)
        #expect(dead?.summary.contains(":\(absent)") == true)
        #expect(mirrored?.summary.contains("has the same messages") == true)
        #expect(lone?.summary.contains("do not reach 127.0.0.1:\(alone.port)") == true)
    }

    @Test("If no broker answers, each is reported")
    func none() async throws {
        let ports = [try TestBroker.freePort(), try TestBroker.freePort()]
        let findings = try await Self.facts(ports[0], ports[1]).findings
        #expect(findings.map(\.verdict) == [.problem, .problem])
        for (finding, port) in zip(findings, ports) { #expect(finding.summary.contains(":\(port)")) }
    }
}
