import DeviceCatalog
import EventLoop
import Foundation
import HostTesting
import MQTT
import Testing

@testable import BridgeConfiguration
@testable import Commands
@testable import Reference

@Suite("doctor checks the size limit of messages and readable passwords")
struct BrokerSizeTests {
    private static func settings(_ environment: [String: String]) throws -> Settings {
        let loader = SettingsLoader(
            families: Registry.families, host: Host(environment: environment, name: "attic"),
            usualFile: "/nonexistent")
        return try loader.load().settings
    }

    private static func findings(
        _ lines: [String], _ environment: [String: String] = [:]
    ) async throws -> [Finding] {
        var options = TestBroker.Options()
        options.lines = lines
        let broker = try TestBroker(options)
        var all = ["TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1", "TACTILE_BRIDGE_MQTT_PORT": "\(broker.port)"]
        all.merge(environment) { $1 }
        let settings = try settings(all)
        let host = Host(environment: all, name: "attic")
        let loop = try EventLoop.start(name: "doctor")
        defer { loop.stop() }
        return await withTaskExecutorPreference(loop) {
            await BrokerProbe(settings: settings, families: Registry.families, named: [], host: host).facts(
                on: loop
            ).findings
        }
    }

    @Test(
        "A default broker on Debian, which accepts messages of any size, is a warning with the missing lines"
    )
    func unbounded() async throws {
        let findings = try await Self.findings([])
        #expect(!findings.contains { $0.verdict == .problem }, "\(findings)")
        let problem = try #require(findings.first { $0.summary.contains("no size limit") })
        #expect(problem.check == .broker && problem.verdict == .warning)
        #expect(problem.remedies.contains("message_size_limit 1048576"))
        #expect(problem.remedies.contains("set_tcp_nodelay true"))
    }

    @Test(
        "A broker with a limit has no warning, whether it reports the limit (max_packet_size) or only enforces it",
        arguments: ["message_size_limit 1048576", "max_packet_size 2000000", "message_size_limit 65536"])
    func bounded(line: String) async throws {
        let findings = try await Self.findings([line])
        #expect(!findings.contains { $0.summary.contains("no size limit") }, "\(findings)")
    }

    @Test("Mosquitto accepts the recommended lines")
    func lines() async throws {
        let findings = try await Self.findings(MosquittoLines.all.map(\.line))
        #expect(!findings.contains { $0.verdict == .problem }, "\(findings)")
    }

    @Test(
        "The shipped configurations and the guide have the same lines",
        arguments: [
            "deploy/brokers/mosquitto/fleet.conf", "deploy/docker/mosquitto.conf", "docs/guides/operate.md",
        ])
    func shipped(file: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
        let found = text.split(separator: "\n").map(String.init)
        for (line, _) in MosquittoLines.all {
            let key = line.prefix { $0 != " " } + " "
            #expect(found.filter { $0.hasPrefix(key) } == [line])
        }
    }

    @Test("Over MQTT 3.1.1 the limit is unknown, and reported as such")
    func unknown() async throws {
        let findings = try await Self.findings([], ["TACTILE_BRIDGE_MQTT_VERSION": "3.1.1"])
        #expect(!findings.contains { $0.verdict == .problem })
        let finding = try #require(
            findings.first { $0.summary.contains("does not report whether messages have") })
        #expect(finding.verdict == .ok && finding.remedies.contains("message_size_limit 1048576"))
    }

    @Test(
        "A password to another host without TLS is a warning; a local or encrypted password is not",
        arguments: [
            (["MQTT_HOST": "broker.local"], true), (["MQTT_HOST": "192.168.1.2"], true),
            (["MQTT_HOST": "broker.local", "MQTT_TLS_ENABLED": "true"], false),
            (["MQTT_HOST": "broker.local", "MQTT_TLS_ENABLED": "true", "MQTT_TLS_INSECURE": "true"], true),
            (["MQTT_HOST": "127.0.0.1"], false), (["MQTT_HOST": "localhost"], false),
            (["MQTT_HOST": "::1"], false), (["MQTT_HOST": "/run/mosquitto.sock"], false),
        ] as [([String: String], Bool)])
    func password(environment: [String: String], isWarned: Bool) throws {
        var all = ["TACTILE_BRIDGE_MQTT_USERNAME": "bridge", "TACTILE_BRIDGE_MQTT_PASSWORD": "hush"]
        for (key, value) in environment { all["TACTILE_BRIDGE_\(key)"] = value }
        let loader = SettingsLoader(
            families: Registry.families, host: Host(environment: all, name: "attic"),
            usualFile: "/nonexistent")
        let configuration = try loader.load()
        // `run` logs these at its start, `check-config` shows them, `doctor` reports them.
        #expect(configuration.warnings.contains { $0.hasPrefix("mqtt.password: ") } == isWarned)
        let mqtt = configuration.settings.mqtt
        #expect(mqtt.showsPassword == isWarned)
        let facts = BrokerFacts(
            settings: mqtt, connection: .accepted(version: "5", address: "a"), id: "attic", ownHost: "attic")
        #expect(
            facts.findings.contains { $0.verdict == .warning && $0.summary.hasPrefix("mqtt.password: ") }
                == isWarned)
        #expect(!facts.findings.contains { "\($0)".contains("hush") })
    }
}
