import BridgeContract
import DeviceCatalog
import DeviceKit
import Foundation
import Glibc
import HostServices
import Testing

@testable import BridgeConfiguration

@Suite("Folders of device files")
struct DeviceFolderTests {
    /// Returns a family for each file, with the name in the first line; a file with a line `bad` is invalid.
    private static let reading: DeviceFolder.Reading = { text, path in
        let lines = text.split(separator: "\n").map(String.init)
        guard let name = lines.first else { return DeviceFileReading(path: path, name: nil, family: nil) }
        guard !lines.contains("bad") else {
            return DeviceFileReading(path: path, name: name, family: nil, problems: ["\(path):2:1: bad"])
        }
        var family = LampFamily()
        (family.name, family.displayName) = (name, lines.last ?? "")
        family.plural = lines.first { $0.hasPrefix("plural ") }.map { String($0.dropFirst(7)) } ?? "\(name)s"
        return DeviceFileReading(path: path, name: name, family: family)
    }

    private func load(
        _ scope: ConfigurationScope, _ configuration: String = "", shipped: [String: String] = [:],
        own: [String: String] = [:], before: [any DeviceFamily] = []
    ) throws -> BridgeConfiguration.Configuration {
        for (folder, files) in [("shipped", shipped), ("own", own)] {
            try FileManager.default.createDirectory(
                atPath: "\(scope.folder)/\(folder)", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755])
            for (name, text) in files { try scope.write("\(folder)/\(name)", text) }
        }
        let file = try scope.write("c.yaml", "devices_directory: \(scope.folder)/own\n" + configuration)
        return try SettingsLoader(
            file: file, families: [LampFamily()],
            deviceFiles: DeviceFileSource(shipped: "\(scope.folder)/shipped", reading: Self.reading),
            host: Host(environment: [:], name: "attic")
        ).load(before: before)
    }

    private func problems(_ configuration: BridgeConfiguration.Configuration) -> [String] {
        configuration.deviceFiles.flatMap(\.problems).map { $0.replacing(/.*\/(shipped|own)/) { "\($0.1)" } }
    }

    @Test("A user's file takes precedence over a shipped file, and a built-in family over both")
    func precedence() async throws {
        try await ConfigurationScope.with { scope in
            let read = try load(
                scope, shipped: ["a.yaml": "heart\nshipped", "b.yaml": "uart", "no.txt": "x"],
                own: ["c.yaml": "heart\nown", "lamp.yaml": "lamp"])
            #expect(read.families.map(\.name) == ["lamp", "heart", "uart"])
            #expect(read.families[0] is LampFamily && read.families[1].displayName == "own")
            #expect(
                problems(read) == [
                    "own/lamp.yaml: family: found lamp, which is a built-in family; allowed: another name"
                ])
        }
    }

    @Test("An invalid file is ignored; the shipped file or the previous version stays in use")
    func bad() async throws {
        try await ConfigurationScope.with { scope in
            var read = try load(
                scope, shipped: ["a.yaml": "heart\nshipped"],
                own: ["a.yaml": "heart\nbad", "b.yaml": "buzz\nbad"])
            #expect(read.families.map(\.name) == ["lamp", "heart", "buzz"])
            #expect(read.families[1].fault == nil)
            #expect(read.families[2].fault?.hasSuffix("own/b.yaml:2:1: bad") == true)
            #expect(problems(read) == ["own/a.yaml:2:1: bad", "own/b.yaml:2:1: bad"])
            var before = LampFamily()
            before.name = "buzz"
            read = try load(scope, before: [before])
            #expect(read.families[2].fault == nil)
        }
    }

    @Test("A plural belongs to the selected file: it is free if the user's file has another plural")
    func plurals() async throws {
        try await ConfigurationScope.with { scope in
            // The second-to-last line is the plural.
            var read = try load(
                scope, shipped: ["heart.yaml": "heart\nplural hearts\nshipped"],
                own: [
                    "a.yaml": "strap\nplural hearts\nown", "heart.yaml": "heart\nplural pulses\nown",
                ])
            #expect(problems(read) == [])
            #expect(read.families.map(\.plural) == ["lamps", "pulses", "hearts"])
            // If two families have the same plural, the shipped file keeps it; of the user's files, the first one.
            read = try load(
                scope, own: ["heart.yaml": "heart\nbad", "zoo.yaml": "zoo\nplural hearts\nown"])
            #expect(
                problems(read) == [
                    "own/a.yaml: plural: found hearts, which the family heart uses too; allowed: another word",
                    "own/heart.yaml:2:1: bad",
                    "own/zoo.yaml: plural: found hearts, which the family heart uses too; allowed: another word",
                ])
            #expect(
                read.families.map(\.name) == ["lamp", "heart"] && read.families[1].displayName == "shipped")
        }
    }

    @Test("If the plural of a user's file is taken, the shipped file is used")
    func pluralOfOverride() async throws {
        try await ConfigurationScope.with { scope in
            let read = try load(
                scope, shipped: ["heart.yaml": "heart\nshipped", "uart.yaml": "uart\nshipped"],
                own: ["uart.yaml": "uart\nplural hearts\nown"])
            #expect(read.families.map(\.displayName) == ["Example lamp", "shipped", "shipped"])
            #expect(problems(read).count == 1 && problems(read)[0].contains("own/uart.yaml: plural"))
        }
    }

    @Test("Devices and sections of a family with an invalid file are accepted unchecked")
    func faulty() async throws {
        try await ConfigurationScope.with { scope in
            let read = try load(
                scope,
                """
                buzz: { pin: 1234 }
                devices: { left: { family: buzz, address: "00:00:00:00:00:01", pin: 5 } }
                """, own: ["buzz.yaml": "buzz\nbad"])
            #expect(read.settings.bridge.devices.map(\.family) == ["buzz"])
        }
    }

    @Test(
        "A family with a name of the configuration is ignored with a problem",
        arguments: [
            (
                "devices: { heart: { family: lamp, address: \"00:00:00:00:00:01\" } }",
                "a device of the family lamp"
            ),
            (
                "devices: { h: { family: lamp, address: \"00:00:00:00:00:01\" } }\ngroups: { heart: [h] }",
                "a group"
            ),
            ("home_assistant: { prefix: heart }", "the discovery prefix"),
        ])
    func taken(_ configuration: String, _ holder: String) async throws {
        try await ConfigurationScope.with { scope in
            let read = try load(scope, configuration, shipped: ["heart.yaml": "heart"])
            #expect(read.families.map(\.name) == ["lamp"])
            #expect(problems(read).count == 1 && problems(read)[0].contains(holder))
        }
    }

    @Test(
        "A reserved name is rejected with its line, by check-device too",
        arguments: [
            ("reply", "a root of the bridge's own topics"), ("zone", "a root of the bridge's own topics"),
            ("mqtt", "a section of the configuration"), ("devices", "a section of the configuration"),
            ("belt", "a built-in family"), ("homeassistant", "the discovery prefix by default"),
        ])
    func takenNames(_ name: String, _ holder: String) async throws {
        try await ConfigurationScope.with { scope in
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "../../config/devices/heart.yaml")
            let text = try String(contentsOf: file, encoding: .utf8).replacing(
                "family: heart", with: "family: \(name)")
            let path = try scope.write("w.yaml", text)
            let problem = "family: found \(name), \(holder); allowed: another name"
            let outcome = try BuiltCommand.run(["check-device", path])
            #expect(outcome.code == 78 && outcome.error.hasSuffix("\(problem)\n"), "\(outcome.error)")
            guard name != "homeassistant" else { return }
            let reading = DeviceFileSource.standard(builtIn: Registry.families).reading(text, path)
            #expect(reading.problems.count == 1 && reading.problems[0].hasSuffix(problem))
        }
    }

    @Test("An invalid file hides no section of the configuration with its name")
    func sectionOfName() async throws {
        try await ConfigurationScope.with { scope in
            let read = try load(scope, "mqtt: { host: broker }", own: ["mqtt.yaml": "mqtt\nbad"])
            #expect(read.settings.mqtt.host == "broker")
            #expect(read.families.map(\.name) == ["lamp"])
            #expect(problems(read) == ["own/mqtt.yaml:2:1: bad"])
        }
    }

    @Test("Files and folders with write access for other users are rejected")
    func permissions() async throws {
        try await ConfigurationScope.with { scope in
            _ = try load(scope, own: ["heart.yaml": "heart"])
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o666], ofItemAtPath: "\(scope.folder)/own/heart.yaml")
            var read = try load(scope)
            #expect(problems(read).first?.contains("other users can write to it") == true)
            #expect(read.families.map(\.name) == ["lamp", "heart"] && read.families[1].fault != nil)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o777], ofItemAtPath: "\(scope.folder)/own")
            read = try load(scope)
            #expect(read.families.map(\.name) == ["lamp"])
            #expect(problems(read).first?.hasPrefix("own: other users can write") == true)
        }
    }

    @Test("Files beyond the maximum number are not read, which is reported")
    func count() async throws {
        try await ConfigurationScope.with { scope in
            let files = (1...257).map { ("f\(1000 + $0).yaml", "f\($0)") }
            let read = try load(scope, own: Dictionary(uniqueKeysWithValues: files))
            #expect(read.families.count == 257)
            #expect(problems(read) == ["own: found 257 files; allowed: 256; the other files are ignored"])
        }
    }

    @Test("A program that was built in a clone uses the files of the clone")
    func clone() async throws {
        try await ConfigurationScope.with { scope in
            try FileManager.default.createDirectory(
                atPath: "\(scope.folder)/config/devices", withIntermediateDirectories: true)
            let program = "\(scope.folder)/.build/debug/tactile-bridge"
            #expect(DeviceFileSource.shippedFolder(program: program) == DeviceFileSource.installedFolder)
            try scope.write("Package.swift", "")
            #expect(DeviceFileSource.shippedFolder(program: program) == "\(scope.folder)/config/devices")
        }
    }

    @Test("A name ends in .yaml or .yml in any case; ignored names and names that are not files are listed")
    func endings() async throws {
        try await ConfigurationScope.with { scope in
            let own = "\(scope.folder)/own"
            try FileManager.default.createDirectory(atPath: "\(own)/old", withIntermediateDirectories: true)
            #expect(mkfifo("\(own)/pipe.yml", 0o600) == 0)
            let read = try load(
                scope,
                own: ["a.yml": "heart", "b.YAML": "uart", "c.yaml~": "x", ".d.yaml": "x", "e.json": "x"])
            #expect(read.families.map(\.name) == ["lamp", "heart", "uart", "pipe"])
            #expect(problems(read) == ["own/pipe.yml: cannot be read: not a regular file"])
            #expect(
                read.ignored
                    == [".d.yaml", "c.yaml~", "e.json", "old"].map {
                        "\(own)/\($0): ignored; allowed: a name that ends in .yaml or .yml"
                            + ($0 == ".d.yaml" ? " and does not start with a dot" : "")
                    })
        }
    }

    @Test("A file that differs only in comments and empty lines is the same version of its family")
    func version() throws {
        let reading = DeviceFileSource.standard(builtIn: []).reading
        func revision(_ text: String) throws -> String {
            try #require(reading(text, "heart.yaml").family).revision
        }
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "config/devices/heart.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(try revision("# Of the strap in the hall.\n\n" + text + "# The end.\n") == revision(text))
        let other = text.replacing("title: Heart rate sensor", with: "title: Heart rate strap")
        #expect(try revision(other) != revision(text))
    }

    @Test("Of many ignored files, the first twenty are listed by name")
    func manyIgnored() async throws {
        try await ConfigurationScope.with { scope in
            let names = (0..<30).map { "\(10 + $0).txt" }
            let read = try load(scope, own: Dictionary(uniqueKeysWithValues: names.map { ($0, "") }))
            #expect(read.ignored.count == 21)
            #expect(read.ignored.last?.contains("own: 10 more files are ignored; allowed: ") == true)
        }
    }
}
