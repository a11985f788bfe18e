import BridgeContract
import DeviceKit
import Foundation
import Haptics
import Logging
import Testing

@testable import BridgeConfiguration
@testable import HostServices

@Suite("The reload of a running configuration")
struct LiveConfigurationTests {
    /// A configuration in a separate folder, as a running bridge has it.
    private struct Running {
        let scope: ConfigurationScope
        let live: LiveConfiguration
        let log: LogControl

        init(_ scope: ConfigurationScope, _ text: String, options: [String: (String, String)] = [:]) throws {
            let loader = SettingsLoader(
                file: try scope.write("c.yaml", text),
                options: options.mapValues { (option: $0.0, word: $0.1) }, families: [LampFamily()],
                host: Host(environment: ["HOME": scope.folder], name: "attic.example.org"))
            let configuration = try loader.load()
            let settings = configuration.settings
            log = LogControl(level: settings.logLevel, format: settings.logFormat) { _ in }
            live = LiveConfiguration(configuration, loader: loader, log: log)
            self.scope = scope
        }

        /// Reloads with another text.
        func read(_ text: String) throws -> ReloadedConfiguration {
            try scope.write("c.yaml", text)
            return try live.read()
        }
    }

    @Test(
        "Changes are reported by path, separated into applied changes and changes that need a restart",
        arguments: [
            ("", "", "", ""), ("log: { level: info }", "", "", ""),
            ("", "log: { level: debug, format: json }", "log.level log.format", ""),
            ("log: { only: [links] }", "log: { only: [commands, links] }", "log.only", ""),
            ("", "lamp: { warm: true }", "lamp.warm", ""), ("lamp: { warm: true }", "", "lamp.warm", ""),
            ("", "bridge: { stats_interval_s: 5 }", "bridge.stats_interval_s", ""),
            ("", "bluetooth: { join: always, adapters: [hci1] }", "bluetooth.join", "bluetooth.adapters"),
            (
                "", "bluetooth: { bus: \"unix:path=/x\", acquire: true }", "",
                "bluetooth.bus bluetooth.acquire"
            ),
            ("", "mqtt: { host: broker, port: 1884 }", "", "mqtt.host mqtt.port"),
            ("", "bridge: { id: cellar }", "", "bridge.id mqtt.client_id"),
            ("", "mqtt: { tls: { enabled: true } }", "", "mqtt.port mqtt.tls.enabled"),
            ("", "home_assistant: { prefix: ha }", "home_assistant.prefix", ""),
            ("", "devices: { a: { family: lamp, address: \"00:00:00:00:00:01\" } }", "", ""),
        ])
    func changes(_ before: String, _ after: String, _ live: String, _ restart: String) async throws {
        try await ConfigurationScope.with { scope in
            let running = try Running(scope, before)
            let read = try running.read(after)
            #expect(read.changed.joined(separator: " ") == live)
            #expect(read.restartNeeded.joined(separator: " ") == restart)
            let again = try running.read(after)
            #expect(again.changed.isEmpty, "what is in force is no change any more")
            #expect(again.restartNeeded == read.restartNeeded, "what is not in force stays one")
            let back = try running.read(before)
            #expect(back.changed == read.changed && back.restartNeeded.isEmpty)
        }
    }

    @Test(
        "The log follows the file; an option takes precedence, and a request's level stays while the file is unchanged"
    )
    func log() async throws {
        try await ConfigurationScope.with { scope in
            let running = try Running(scope, "log: { level: info }")
            _ = try running.read("log: { level: warning, format: json }")
            #expect(running.log.level == .warning && running.log.format == .json)
            #expect(running.log.only == [])
            _ = try running.read("log: { level: warning, format: json, only: [values, mqtt] }")
            #expect(running.log.only == [.values, .mqtt])
            _ = try running.read("log: { level: warning, format: json }")
            #expect(running.log.only == [])
            running.log.level = .trace
            _ = try running.read("log: { level: warning, format: text }")
            #expect(running.log.level == .trace && running.log.format == .text)
            _ = try running.read("log: { level: error }")
            #expect(running.log.level == .error)

            let strong = try Running(scope, "", options: ["log.level": ("--log-level", "debug")])
            #expect(try strong.read("log: { level: error }").changed.isEmpty)
            #expect(strong.log.level == .debug)
        }
    }

    @Test("An invalid file changes nothing, and each error has its file, line and key")
    func invalid() async throws {
        try await ConfigurationScope.with { scope in
            let running = try Running(scope, "log: { level: info }")
            let error = #expect(throws: ConfigurationError.self) {
                try running.read(
                    "log: { level: debug }\nmqtt:\n  prot: 1\ndevices: { bridge: { family: lamp } }\n")
            }
            let problems = error?.problems ?? []
            #expect(problems.count == 3, "\(problems)")
            #expect(
                problems.first?.hasPrefix("\(scope.folder)/c.yaml:3:3: mqtt.prot: not known here") == true)
            #expect(running.log.level == .info)
            #expect(try running.read("log: { level: debug }").changed == ["log.level"])
        }
    }

    @Test("A new password in the same file needs no restart; another file does. The value is not reported")
    func password() async throws {
        try await ConfigurationScope.with { scope in
            let file = try scope.write("password", "old-secret\n")
            let text = "mqtt: { username: me, password_file: \(file) }"
            let running = try Running(scope, text)
            try scope.write("password", "new-secret\n")
            let read = try running.read(text)
            #expect(read.restartNeeded == [] && read.changed == ["mqtt.password"])
            #expect("\(read)".contains("secret") == false)
            #expect(try running.read(text).changed == [])
            let other = try scope.write("other", "new-secret\n")
            let moved = try running.read("mqtt: { username: me, password_file: \(other) }")
            #expect(moved.restartNeeded == ["mqtt.password_file"] && moved.changed == [])
            try scope.write("other", "third-secret\n")
            let both = try running.read("mqtt: { username: me, password_file: \(other) }")
            #expect(both.restartNeeded == ["mqtt.password", "mqtt.password_file"])
        }
    }

    @Test("A reload reads the certificates and warns of a file that the next connection cannot use")
    func certificates() async throws {
        try await ConfigurationScope.with { scope in
            let file = "\(scope.folder)/ca.pem"
            let text = "mqtt: { tls: { enabled: true, ca_file: \(file) } }"
            let running = try Running(scope, text)
            #expect(
                try running.read(text).warnings == [
                    "mqtt: cannot read the CA file \(file): no such file or directory"
                ])
            #expect(try running.read(text).warnings == [])
            try scope.write("ca.pem", "nothing")
            let warnings = try running.read(text).warnings
            #expect(
                warnings.count == 1 && warnings.allSatisfy { $0.contains("contains no certificate in PEM") })
        }
    }

    @Test("Pattern files are read at each reload; a warning is reported once")
    func patterns() async throws {
        try await ConfigurationScope.with { scope in
            let folder = "\(scope.folder)/patterns"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let text = "haptics: { directory: \(folder) }\nmqtt: { tls: { ca_file: /x } }"
            let running = try Running(scope, text)
            let before = Set(running.live.settings.patterns.names)
            try scope.write(
                "patterns/knock.yaml", "events:\n  - { time: 0, kind: transient, intensity: 1 }\n")
            let read = try running.read(text)
            #expect(Set(read.settings.patterns.names).subtracting(before) == ["knock"])
            #expect(read.changed == ["haptics.directory"])
            #expect(read.warnings.isEmpty)
            #expect(try running.read(text).changed.isEmpty)
            let more = try running.read(text + "\nmetrics: { listen: \"[::]:9402\" }")
            #expect(more.warnings.count == 1 && more.warnings.allSatisfy { $0.contains("metrics.listen") })
        }
    }

    @Test("A new file of conf.d is read")
    func part() async throws {
        try await ConfigurationScope.with { scope in
            let running = try Running(scope, "")
            try FileManager.default.createDirectory(
                atPath: "\(scope.folder)/conf.d", withIntermediateDirectories: true)
            try scope.write("conf.d/a.yaml", "lamp: { warm: true }")
            #expect(try running.read("").changed == ["lamp.warm"])
        }
    }

    @Test("Ignored files are in each answer, and in the warnings when they are new")
    func ignored() async throws {
        try await ConfigurationScope.with { scope in
            let patterns = "\(scope.folder)/patterns"
            try FileManager.default.createDirectory(atPath: patterns, withIntermediateDirectories: true)
            let text = "haptics: { directory: \(patterns) }"
            let running = try Running(scope, text)
            #expect(try running.read(text).ignored == [])
            try scope.write("patterns/knock.json", "{}")
            let line =
                "\(patterns)/knock.json: ignored; allowed: a name that ends in .ahap or .haptic or .yaml or .yml"
            let first = try running.read(text)
            #expect(first.ignored == [line] && first.warnings == [line])
            let second = try running.read(text)
            #expect(second.ignored == [line] && second.warnings == [])
        }
    }
}
