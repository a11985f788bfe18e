import BridgeContract
import Foundation
import HostServices
import JSON
import Logging
import MQTT
import Testing

@testable import BridgeConfiguration

@Suite("Files of conf.d are merged with the configuration file")
struct ConfigurationPartsTests {
    private func loader(_ scope: ConfigurationScope) -> SettingsLoader {
        SettingsLoader(
            file: "\(scope.folder)/c.yaml", families: [LampFamily()],
            host: Host(environment: [:], name: "attic.example.org"))
    }

    /// Writes files into the folder; `conf.d/` is put in front of each name.
    private func write(_ scope: ConfigurationScope, _ parts: KeyValuePairs<String, String>) throws {
        try FileManager.default.createDirectory(
            atPath: "\(scope.folder)/conf.d", withIntermediateDirectories: true)
        for (name, text) in parts { try scope.write("conf.d/\(name)", text) }
    }

    @Test("Sections, devices and groups are merged; origins and problems name the file and the line")
    func merges() async throws {
        try await ConfigurationScope.with { scope in
            try write(
                scope,
                [
                    "20-b.yaml":
                        "devices:\n  b: { family: lamp, address: AA:BB:CC:DD:EE:02 }\ngroups: { y: [b, a] }",
                    "10-a.yaml":
                        "mqtt: { port: 1884, tls: { insecure: true } }\ndevices:\n  a: { family: lamp, address: AA:BB:CC:DD:EE:01 }\ngroups: { x: [a] }",
                    ".hidden.yaml": "- x", "readme.txt": "- x", "30-empty.yaml": "# nothing\n",
                ])
            let loaded = try scope.load(
                "mqtt: { host: here, port: , tls: { enabled: true } }\ndevices:\n  c: { family: lamp, address: AA:BB:CC:DD:EE:03 }"
            )
            #expect(loaded.settings.mqtt.host == "here")
            #expect(loaded.settings.mqtt.port == 1884)
            #expect(loaded.settings.mqtt.tls?.insecure == true)
            #expect(loaded.settings.bridge.devices.map(\.name) == ["c", "a", "b"])
            #expect(loaded.settings.bridge.groups.map(\.members) == [["a"], ["b", "a"]])
            let origins = loaded.entries.reduce(into: [String: String]()) {
                $0[$1.path] = $1.origin.description.replacing("\(scope.folder)/", with: "")
            }
            #expect(origins["mqtt.host"] == "c.yaml:1")
            #expect(origins["mqtt.port"] == "conf.d/10-a.yaml:1")
            #expect(origins["devices.b"] == "conf.d/20-b.yaml:2")
            #expect(origins["groups.y"] == "conf.d/20-b.yaml:3")
            let parts = ["10-a.yaml", "20-b.yaml", "30-empty.yaml"].map { "\(scope.folder)/conf.d/\($0)" }
            #expect(loaded.parts == parts)
            #expect(loaded.report.prefix(4).dropFirst() == parts.map { "and: \($0)" }[...])
            #expect(loaded.jsonLine.contains("\"parts\":[\"\(parts[0])\""))
        }
    }

    @Test(
        "A key in two files is an error with both files and lines",
        arguments: [
            ("mqtt:\n  port: 1", "mqtt: { port: 1 }", "1:9: mqtt.port", "2:3"),
            (
                "mqtt:\n  tls: { ca_file: /a }", "mqtt: { tls: { ca_file: /a } }", "1:16: mqtt.tls.ca_file",
                "2:10"
            ),
            ("devices_directory: /a", "\ndevices_directory: /a", "2:1: devices_directory", "1:1"),
            (
                "devices:\n  a: { family: lamp, address: AA:BB:CC:DD:EE:01 }",
                "devices: { a: { glow_ms: 20 } }", "1:12: devices.a", "2:3"
            ),
            (
                "groups: { x: [lamp/a1b2c3] }", "groups: { x: [lamp/a1b2c4] }", "1:11: groups.x", "1:11"
            ),
            ("lamp:\n  limits: { low: 1 }", "lamp: { limits: { low: 1 } }", "1:9: lamp.limits", "2:3"),
            (
                "console: { roles: { a: [viewer] } }", "console: { roles: { b: [viewer] } }",
                "1:12: console.roles", "1:12"
            ),
            ("log: {}", "log: 1", "1:1: log", "1:1"),
        ])
    func twice(_ main: String, _ part: String, _ second: String, _ first: String) async throws {
        try await ConfigurationScope.with { scope in
            try write(scope, ["p.yaml": part])
            #expect(
                scope.problems(main) == [
                    "conf.d/p.yaml:\(second): also set in c.yaml at \(first); allowed: once, in one of the two files"
                ])
        }
    }

    @Test("All errors of all files are reported together, each with its file")
    func mistakes() async throws {
        try await ConfigurationScope.with { scope in
            try write(
                scope,
                [
                    "1.yaml": "mqtt: { prot: 1 }", "2.yaml": "a: [", "3.yaml": "- x",
                    "4.yaml": "groups: { x: [a] }\nlog: { level: loud }",
                ])
            let problems = scope.problems("mqtt: { port: 0 }").map { $0.prefix { $0 != ";" } }
            #expect(
                problems == [
                    "conf.d/2.yaml:2:1: not valid YAML: while parsing a flow node (line 2), did not find expected node content",
                    "c.yaml:1:15: mqtt.port: found 0", "conf.d/1.yaml:1:9: mqtt.prot: not known here",
                    "conf.d/4.yaml:2:15: log.level: found loud", "conf.d/3.yaml:1:1: found a list",
                    "conf.d/4.yaml:1:15: groups.x[0]: found a, which is not under devices",
                ])
        }
    }

    @Test(
        "The folder is read if the configuration file is missing; a file with another extension is listed")
    func withoutMain() async throws {
        try await ConfigurationScope.with { scope in
            try write(
                scope, ["a.yml": "log: { level: debug }", "b.YAML": "log: { format: json }", "c.txt": ""])
            var loader = loader(scope)
            #expect(throws: SettingsError.self) { try loader.load() }
            (loader.usualFile, loader.file) = ("\(scope.folder)/c.yaml", nil)
            let loaded = try loader.load()
            #expect(loaded.file == nil)
            #expect(loaded.settings.logLevel == .debug && loaded.settings.logFormat == .json)
            #expect(
                loaded.ignored == [
                    "\(scope.folder)/conf.d/c.txt: ignored; allowed: a name that ends in .yaml or .yml"
                ])
            #expect(loaded.report.last == loaded.ignored.first.map { "warning: \($0)" })
            #expect(try JSON.Value(parsing: loaded.jsonLine.utf8)["ignored"]?.array?.count == 1)
            try scope.write("d", "")
            try FileManager.default.removeItem(atPath: "\(scope.folder)/conf.d")
            try scope.write("conf.d", "")
            #expect(
                scope.problems("") == ["conf.d: cannot be read: Not a directory; allowed: a folder"])
        }
    }

    @Test("Of many unknown keys, the first twenty are listed and the others are counted")
    func manyUnknown() async throws {
        try await ConfigurationScope.with { scope in
            let path = try scope.write("c.yaml", (0..<1000).map { "k\($0): 1\n" }.joined())
            let error = #expect(throws: SettingsError.self) {
                try SettingsLoader(file: path, families: [LampFamily()]).load()
            }
            #expect(error?.problems.count == 21)
            #expect(error?.problems.last?.message == "980 more keys are not known here")
        }
    }
}
