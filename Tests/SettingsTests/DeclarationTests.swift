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

    @Test("Every default is allowed, and every path and variable is unique")
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

    @Test("The committed configuration file matches the declarations")
    func committedFile() throws {
        let text = try String(
            contentsOf: Self.root.appending(path: "config/tactile-bridge.yaml"), encoding: .utf8)
        #expect(
            text == ConfigurationTemplate(families: Registry.families).text,
            "run deploy/reference")
    }

    @Test("The generated file contains every setting with its comment, and changes no value")
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

    @Test(
        "Suggestions for misspelled words",
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
