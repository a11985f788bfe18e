import MQTT
import Testing

@testable import BridgeConfiguration

@Suite("Several brokers in the configuration")
struct SeveralBrokersTests {
    private static let two = """
        mqtt:
          hosts:
            - { host: a.example, server_name: node-a }
            - { host: b.example, port: 1884 }
          port: 1999
          tls: { enabled: true }
        """

    @Test("Brokers are used in their order; a broker without a port has mqtt.port")
    func order() async throws {
        try await ConfigurationScope.with { scope in
            let configuration = try scope.load(Self.two)
            let mqtt = configuration.settings.mqtt
            #expect(
                mqtt.servers == [
                    .init(host: "a.example", port: 1999, name: "node-a"),
                    .init(host: "b.example", port: 1884),
                ])
            #expect(mqtt.configuration(will: nil).brokerDescription == "a.example:1999, b.example:1884")
            #expect(configuration.warnings.isEmpty, "\(configuration.warnings)")
            #expect(configuration.report.contains { $0.hasPrefix("mqtt.hosts") && $0.contains("a.example") })
        }
    }

    @Test("A broker in the environment replaces all of them, with a warning")
    func environment() async throws {
        try await ConfigurationScope.with { scope in
            let configuration = try scope.load(
                Self.two, environment: ["TACTILE_BRIDGE_MQTT_HOST": "c.example"])
            #expect(configuration.settings.mqtt.servers == [.init(host: "c.example", port: 1999)])
            #expect(
                configuration.warnings == [
                    "mqtt.hosts: has no effect, because TACTILE_BRIDGE_MQTT_HOST names the broker"
                ])
        }
    }

    @Test(
        "Contradictory settings are rejected, with the allowed values",
        arguments: [
            ("[{ port: 1 }]", "host is missing"), ("[{ host: a b }]", "mqtt.hosts[0].host: found a b"),
            ("[{ host: a, tls: true }]", "mqtt.hosts[0].tls: not known here"),
            ("[{ host: a, port: 0 }]", "mqtt.hosts[0].port: found 0"), ("[a]", "mqtt.hosts[0]: found a"),
            (
                "[{ host: a }, { host: a, port: 1883 }]",
                "mqtt.hosts[1]: found the same broker as in mqtt.hosts[0]"
            ),
            ("a", "mqtt.hosts: found a"),
        ])
    func refused(text: String, words: String) async throws {
        try await ConfigurationScope.with { scope in
            let problems = scope.problems("mqtt: { hosts: \(text) }")
            #expect(problems.contains { "\($0)".contains(words) }, "\(problems)")
        }
    }

    @Test("A setting without effect is a warning")
    func remarks() async throws {
        try await ConfigurationScope.with { scope in
            let text = "mqtt: { host: c.example, hosts: [{ host: a, server_name: b }] }"
            let warnings = try scope.load(text).warnings
            #expect(
                warnings == [
                    "mqtt.hosts[0].server_name: has no effect, because mqtt.tls.enabled is false",
                    "mqtt.host: has no effect, because mqtt.hosts names the brokers",
                ])
        }
    }

    @Test("One broker on another host is enough for the open and readable-password warnings")
    func open() async throws {
        try await ConfigurationScope.with { scope in
            let here = try scope.load("mqtt: { hosts: [{ host: localhost }, { host: /run/m.sock }] }")
            #expect(!here.settings.mqtt.isOpen)
            let there = try scope.load("mqtt: { hosts: [{ host: localhost }, { host: far.example }] }")
            #expect(there.settings.mqtt.isOpen)
        }
    }
}
