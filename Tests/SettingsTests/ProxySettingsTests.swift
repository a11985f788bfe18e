import Bluetooth
import BridgeContract
import ESPHome
import HostTesting
import JSON
import Testing

@testable import BridgeConfiguration

@Suite("Bluetooth proxies in the configuration")
struct ProxySettingsTests {
    private static let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    @Test("Each proxy has its host, port, address and key, and no output shows the key")
    func proxies() async throws {
        try await ConfigurationScope.with { scope in
            let configuration = try scope.load(
                """
                bluetooth:
                  adapters: [hci0, proxy/attic]
                  proxies:
                    - { name: kitchen, host: kitchen.local, mac: "C0:FF:EE:00:00:01", key: \(Self.key) }
                    - { name: attic, host: 192.0.2.7, port: 6054, plain: true }
                """)
            #expect(
                configuration.settings.bluetooth.proxies == [
                    ProxySettings(
                        name: "kitchen", host: "kitchen.local", port: 6053, mac: "C0:FF:EE:00:00:01",
                        key: EncryptionKey(base64: Self.key)),
                    ProxySettings(name: "attic", host: "192.0.2.7", port: 6054, mac: nil, key: nil),
                ])
            #expect(configuration.settings.bluetooth.proxies[0].adapter == "proxy/kitchen")
            #expect(
                configuration.warnings.contains {
                    $0.hasPrefix("bluetooth.proxies[1].plain: a program between")
                })
            let line = configuration.jsonLine
            #expect(line.contains("kitchen.local"))
            #expect(line.contains("bluetooth.proxies.0.key"))
            let outputs =
                configuration.report + [line, "\(configuration.backup)", "\(configuration.settings)"]
            for output in outputs { #expect(!output.contains("AAEC")) }
            #expect(configuration.backup.leftOut == ["bluetooth.proxies.0.key"])
        }
    }

    @Test("A key is read from a file, or from a systemd credential with the name of the proxy")
    func files() async throws {
        try await ConfigurationScope.with { scope in
            let file = try scope.write("kitchen.key", "\(Self.key)\n")
            try scope.write("proxy-attic-key", Self.key)
            let configuration = try scope.load(
                """
                bluetooth:
                  proxies:
                    - { name: kitchen, host: a, key_file: \(file) }
                    - { name: attic, host: b }
                """, environment: ["CREDENTIALS_DIRECTORY": scope.folder])
            let keys = configuration.settings.bluetooth.proxies.map(\.key?.base64)
            #expect(keys == [Self.key, Self.key])
        }
    }

    @Test(
        "Contradictory settings are rejected, with the allowed values",
        arguments: [
            ("{ name: a }", "bluetooth.proxies[0]: host is missing"),
            ("{ name: a/b, host: h, plain: true }", "bluetooth.proxies[0].name: found a/b; allowed: let"),
            ("{ name: a, host: /h, plain: true }", "bluetooth.proxies[0].host: found /h; allowed: a host"),
            ("{ name: a, host: h }", "bluetooth.proxies[0].key: missing; allowed: key, key_file, the sys"),
            ("{ name: a, host: h, key: short }", "bluetooth.proxies[0].key: found another text; allow"),
            ("{ name: a, host: h, key_file: k }", "bluetooth.proxies[0].key_file: found k; allowed: a"),
            ("{ name: a, host: h, key_file: /none }", "bluetooth.proxies[0].key_file: found /none: "),
            (
                "{ name: a, host: h, plain: true, key: \(key) }",
                "bluetooth.proxies[0].plain: found true, but there is a key"
            ),
            (
                "{ name: a, host: h, plain: true }, { name: A, host: i, plain: true }",
                "bluetooth.proxies[1].name: found a as in bluetooth.proxies[0]; allowed: each name once"
            ),
            (
                "{ name: a, host: h, plain: true, mac: \"C0:FF:EE:00:00:01\" }, "
                    + "{ name: b, host: i, plain: true, mac: \"c0:ff:ee:00:00:01\" }",
                "bluetooth.proxies[1].mac: found c0:ff:ee:00:00:01 as in bluetooth.proxies[0]"
            ),
            ("{ name: a, host: h, plain: true, mac: x }", "bluetooth.proxies[0].mac: found x"),
            ("{ name: a, host: h, plain: true, port: 0 }", "bluetooth.proxies[0].port: found 0"),
            ("{ name: a, host: h, plain: true, keys: 1 }", "bluetooth.proxies[0].keys: not known here"),
        ])
    func refused(text: String, words: String) async throws {
        try await ConfigurationScope.with { scope in
            let problems = scope.problems("bluetooth: { proxies: [\(text)] }")
            #expect(problems.contains { $0.contains(words) }, "\(problems)")
            #expect(!"\(problems)".contains("AAEC") && !"\(problems)".contains("short"))
        }
    }

    @Test("The list of adapters may only name proxies that exist")
    func adapters() async throws {
        try await ConfigurationScope.with { scope in
            let problems = scope.problems(
                """
                bluetooth:
                  adapters: [proxy/attic]
                  proxies: [{ name: kitchen, host: h, plain: true }]
                """)
            #expect(problems.count == 1)
            #expect(
                problems.first?.hasSuffix(
                    "bluetooth.adapters[0]: found proxy/attic; allowed: the proxies in bluetooth.proxies: kitchen"
                )
                    == true)
        }
    }
}
