import BridgeContract
import DeviceCatalog
import DeviceKit
import Glibc
import JSON
import Testing

@testable import BridgeConfiguration
@testable import HostServices

@Suite("Gesture files of a configuration")
struct GestureFolderTests {
    private static let light = """
        version: 1
        family: tap
        layers: { base: [ { inputs: tapped thumb, action: light } ] }
        """

    private func write(_ scope: ConfigurationScope, _ name: String, _ text: String) throws {
        _ = mkdir("\(scope.folder)/gestures", 0o700)
        try scope.write("gestures/\(name)", text)
    }

    private func loader(_ scope: ConfigurationScope, _ text: String = "") throws -> SettingsLoader {
        SettingsLoader(
            file: try scope.write("c.yaml", text), families: Registry.families,
            host: Host(
                environment: ["TACTILE_BRIDGE_GESTURES_DIRECTORY": "\(scope.folder)/gestures"],
                name: "attic"))
    }

    private func actions(_ configuration: Configuration) -> FieldType? {
        guard let feature = configuration.families.named("tap")?.feature("action"),
            case .object(let fields)? = feature.report?.payload
        else { return nil }
        return fields.first?.type
    }

    @Test("A file adds the event action to its family, and a device can select a file")
    func files() async throws {
        try await ConfigurationScope.with { scope in
            try write(scope, "living_room.yaml", Self.light)
            try write(
                scope, "music.yml", Self.light.replacing("action: light", with: "action: next"))
            try write(scope, "notes.txt", "")
            let loader = try loader(
                scope,
                """
                devices:
                  tap/left: { family: tap, address: "C0:FF:EE:00:00:0A", gestures: music }
                """)
            let configuration = try loader.load()
            #expect(actions(configuration) == .choice(["light", "next"]))
            #expect(configuration.families.named("belt")?.feature("action") == nil)
            #expect(configuration.settings.bridge.devices[0].settings.text("gestures") == "music")
            #expect(configuration.leftOut == [] && configuration.ignored.count == 1)
            // A reload starts with the families of the configuration before.
            #expect(try actions(loader.load(before: configuration.families)) == .choice(["light", "next"]))
        }
    }

    @Test("A file with a mistake is left out with line and key; the others apply")
    func mistake() async throws {
        try await ConfigurationScope.with { scope in
            try write(scope, "good.yaml", Self.light)
            try write(scope, "bad.yaml", Self.light.replacing("thumb", with: "nose"))
            try write(scope, "good.yml", Self.light)
            let configuration = try loader(scope).load()
            #expect(actions(configuration) == .choice(["light"]))
            let folder = "\(scope.folder)/gestures"
            try #require(configuration.leftOut.count == 2)
            #expect(
                configuration.leftOut[0].hasPrefix(
                    "\(folder)/bad.yaml:3:29: layers.base[0].inputs: found tapped nose; allowed: tapped, then"
                ))
            #expect(
                configuration.leftOut[1]
                    == "\(folder)/good.yml: found the name none, or a name that another file has; allowed: another name"
            )
        }
    }

    @Test("An unknown file in a device's setting is refused")
    func unknown() async throws {
        try await ConfigurationScope.with { scope in
            try write(scope, "living_room.yaml", Self.light)
            let loader = try loader(scope, "tap: { gestures: kitchen }")
            let error = #expect(throws: SettingsError.self) { try loader.load() }
            #expect(error.map { "\($0)" }?.contains("allowed: one of none living_room") == true)
        }
    }
}
