import BridgeContract
import DeviceFiles
import DeviceKit
import Foundation
import HostServices
import Testing

@testable import BridgeConfiguration
@testable import Reference

@Suite("Secret settings of a device file")
struct SecretSettingTests {
    private static let file = """
        version: 1
        family: lock
        title: Lock
        source: https://example.org
        match: [ { name: "Lock*" } ]
        settings:
          pin: { type: integer, minimum: 1000, maximum: 9999, default: 1234, secret: true }
          room: { type: text, length: [0, 20], default: hall }
        characteristics:
          in: { service: ff00, uuid: ff02 }
        features:
          open:
            summary: Opens it.
            command: { write: { to: in, text: "{settings.pin}" } }
        """

    private func load(
        _ scope: ConfigurationScope, _ text: String, environment: [String: String] = [:]
    ) throws -> BridgeConfiguration.Configuration {
        try FileManager.default.createDirectory(
            atPath: "\(scope.folder)/own", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        try scope.write("own/lock.yaml", Self.file)
        let file = try scope.write("c.yaml", "devices_directory: \(scope.folder)/own\n" + text)
        return try SettingsLoader(
            file: file, families: [], deviceFiles: DeviceFileSource.standard(builtIn: []),
            host: Host(environment: environment, name: "attic")
        ).load()
    }

    @Test("check-config hides the values of the section and of devices, and the bridge has both")
    func report() async throws {
        try await ConfigurationScope.with { scope in
            let read = try load(
                scope,
                """
                lock: { pin: 4711 }
                devices:
                  door: { family: lock, address: "00:00:00:00:00:01", pin: 8150 }
                  gate: { family: lock, address: "00:00:00:00:00:02" }
                """)
            let lines = read.report.joined(separator: "\n")
            #expect(!lines.contains("4711") && !lines.contains("8150") && !lines.contains("1234"))
            #expect(read.entries.first { $0.path == "lock.pin" }?.value == "(hidden)")
            #expect(
                read.entries.first { $0.path == "devices.door" }?.value.hasSuffix("pin=(hidden) room=hall")
                    == true)
            #expect(read.settings.bridge.devices.map { $0.settings.integer("pin") } == [8150, 4711])
        }
    }

    @Test(
        "An error contains no secret value, wherever the error is",
        arguments: [
            ("lock: { pin: 47110 }", ""), ("lock: { pin: [47110] }", ""),
            ("devices: { door: { family: lock, address: \"00:00:00:00:00:01\", pin: 47110 } }", ""),
            ("", "47110"),
        ])
    func problems(_ text: String, _ variable: String) async throws {
        let environment = variable.isEmpty ? [:] : ["TACTILE_BRIDGE_LOCK_PIN": variable]
        try await ConfigurationScope.with { scope in
            let error = #expect(throws: SettingsError.self) {
                try load(scope, text, environment: environment)
            }
            let problem = try #require(error?.problems.first?.description)
            #expect(
                problem.contains("pin: allowed: a whole number 1000...9999") && !problem.contains("47110"),
                "\(problem)")
        }
    }

    @Test("The reference and the commented file contain no default of a secret")
    func documents() throws {
        let family = FileFamily(try DeviceFile.read(Self.file, file: "lock.yaml").file)
        #expect(family.settings.map(\.isSecret) == [true, false])
        let reference = ConfigurationReference([family]).markdown
        #expect(reference.contains("`lock.pin`") && !reference.contains("1234"))
        let template = ConfigurationTemplate(families: [family]).text
        #expect(template.contains("  pin:\n") && !template.contains("1234"))
    }
}
