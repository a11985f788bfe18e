import DeviceCatalog
import DeviceKit
import Foundation
import JSON
import Testing

@testable import BridgeConfiguration

@Suite("The declared settings")
struct DeclarationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("Every default is allowed, every path and variable is there once")
    func declarations() throws {
        let settings = Setting.all(Registry.families)
        #expect(Set(settings.map(\.path)).count == settings.count)
        let variables = settings.compactMap(\.variable)
        #expect(Set(variables).count == variables.count)
        for setting in settings {
            #expect(!setting.summary.isEmpty && setting.summary.hasSuffix("."), "\(setting.path)")
            guard case .value(let value) = setting.fallback else { continue }
            let checked = try setting.type.check(value, path: setting.path)
            #expect(checked == value)
            if let form = setting.form, let text = value.string {
                #expect(form.accepts(text), "\(setting.path)")
            }
        }
    }

    @Test("The committed configuration file is what the declarations say")
    func committedFile() throws {
        let text = try String(
            contentsOf: Self.root.appending(path: "config/tactile-bridge.yaml"), encoding: .utf8)
        #expect(
            text == ConfigurationTemplate(families: Registry.families).text,
            "run deploy/reference")
    }

    @Test("The written file names every setting with its comment, and changes nothing")
    func template() async throws {
        try await ConfigurationScope.with { scope in
            let text = ConfigurationTemplate(families: [LampFamily()]).text
            let (written, empty) = (try scope.load(text), try scope.load(""))
            #expect(written.settings == empty.settings)
            #expect(written.warnings.isEmpty)
            let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
            for setting in Setting.all([LampFamily()]) where setting.secrecy == .open {
                let index = lines.firstIndex { $0.hasPrefix("\(setting.key):") }
                let line = try #require(index, "\(setting.path) is missing")
                #expect(lines[line - 1].hasPrefix("#"), "\(setting.path) has no comment")
                #expect(text.contains(setting.summary.prefix(60)), "\(setting.path)")
            }
        }
    }

    @Test("Everything that the contract names can be set")
    func contract() async throws {
        let text = """
            bridge: { id: attic, state_directory: /var/lib/tactile-bridge, stats_interval_s: 30, heartbeat_s: 30 }
            mqtt: { host: localhost, hosts: [], port: 1883, version: auto, client_id: tactile-bridge-attic, base_topic: "",
              keep_alive_s: 15, username: bridge, password_file: ,
              tls: { enabled: false, ca_file: , certificate_file: , key_file: , insecure: false } }
            bluetooth: { bus: system, adapters: [], join: permit, acquire: false }
            devices: {}
            groups: {}
            lamp: {}
            haptics: { directory: /etc/tactile-bridge/patterns }
            home_assistant: { enabled: true, prefix: homeassistant, drive_entities: false }
            metrics: { listen: "" }
            log: { level: info, format: text, mqtt: off }
            """
        try await ConfigurationScope.with { #expect($0.problems(text).isEmpty) }
    }

    @Test(
        "What was probably meant",
        arguments: [
            ("prot", "port"), ("hots", "host"), ("keepalive_s", "keep_alive_s"),
            ("keep_alvie_s", "keep_alive_s"),
            ("PORT", "port"), ("xyz", nil),
        ])
    func nearest(_ word: String, _ meant: String?) {
        #expect(Nearest.word(to: word, among: ["host", "port", "keep_alive_s", "username"]) == meant)
    }

    @Test(
        "The distance between words",
        arguments: [
            ("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3), ("a", "b", 1),
        ])
    func distance(_ left: String, _ right: String, _ distance: Int) {
        #expect(Nearest.distance(left, right) == distance)
        #expect(Nearest.distance(right, left) == distance)
    }
}
