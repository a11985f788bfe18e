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

    @Test(
        "A command that the bridge will refuse is a warning with its place; a command to an unknown device is not"
    )
    func commands() async throws {
        try await ConfigurationScope.with { scope in
            try write(
                scope, "a.yaml",
                Self.light + """

                    actions:
                      light:
                        feedback: gradul
                        commands:
                          - { device: belt, command: haptic, payload: normal }
                          - { device: belt, command: fly }
                          - { device: belt, command: haptic, payload: { pattern: heavy, intensity: 1 } }
                          - { device: robot, command: stop }
                          - { device: lamp, command: on }
                          - { device: tap/9, command: haptic }
                          - { device: belt, command: haptic, payload: heavvy }
                    """)
            let loader = try loader(
                scope,
                """
                gestures: { devices: [belt, robot, tap/9] }
                devices:
                  belt: { family: belt, address: "C0:FF:EE:00:00:0A" }
                  robot: { family: robot, address: "C0:FF:EE:00:00:0B" }
                """)
            let configuration = try loader.load()
            #expect(configuration.settings.bridge.gestureDevices == ["belt", "robot", "tap/9"])
            #expect(configuration.leftOut == [])
            let expected = [
                "6:15: actions.light.feedback: found the pattern gradul; allowed: one of normal",
                "9:9: actions.light.commands[1]: found the command fly; allowed: one of",
                "10:9: actions.light.commands[2]: ",
                "11:9: actions.light.commands[3]: found a ",
                "12:9: actions.light.commands[4]: found the device lamp; allowed: a device of the setting "
                    + "gestures.devices: belt robot tap/9",
                "14:9: actions.light.commands[6]: found the pattern heavvy; allowed: one of normal",
            ]
            let warnings = configuration.warnings.filter { $0.contains("/gestures/") }
            try #require(warnings.count == expected.count, "\(warnings)")
            for (warning, words) in zip(warnings, expected) {
                #expect(warning.contains("/gestures/a.yaml:\(words)"), "\(warning)")
            }
            #expect(warnings[3].hasSuffix("allowed: a device that is not hazardous"))
            let devices = configuration.warnings.filter { $0.contains("c.yaml:1: gestures.devices: ") }
            #expect(devices.count == 1 && devices[0].contains(": found robot, a "), "\(devices)")
            #expect(devices[0].hasSuffix("; allowed: devices that are not hazardous"))
        }
    }

    @Test("A pair with itself or with another family is a warning with its place; an unknown device is not")
    func pairs() async throws {
        try await ConfigurationScope.with { scope in
            try write(scope, "living_room.yaml", Self.light)
            let loader = try loader(
                scope,
                """
                devices:
                  belt: { family: belt, address: "C0:FF:EE:00:00:0A" }
                  tap/left: { family: tap, address: "C0:FF:EE:00:00:0B", pair: tap/left }
                  tap/right: { family: tap, address: "C0:FF:EE:00:00:0C", pair: belt }
                  tap/third: { family: tap, address: "C0:FF:EE:00:00:0D", pair: tap/left }
                  tap/fourth: { family: tap, address: "C0:FF:EE:00:00:0E", pair: tap/fifth }
                """)
            let warnings = try loader.load().warnings.filter { $0.contains(".pair: ") }
            let file = "\(scope.folder)/c.yaml"
            #expect(
                warnings == [
                    "\(file):3:3: devices.tap/left.pair: found tap/left; allowed: another device of the family tap",
                    "\(file):4:3: devices.tap/right.pair: found belt; allowed: another device of the family tap",
                ])
        }
    }

    @Test("The examples of the guide are used without a warning")
    func guide() async throws {
        let root = try #require(#filePath.split(separator: "/Tests/").first)
        let page = try FileAccess.read("\(root)/docs/guides/gestures.md", limit: 1 << 20)
        let blocks = String(decoding: page, as: UTF8.self).split(separator: "```text\n").dropFirst()
            .compactMap { $0.split(separator: "```").first }
        func block(_ key: String) throws -> Substring {
            try #require(blocks.first { $0.hasPrefix("\(key):\n") || $0.hasPrefix("\(key): ") })
        }
        try await ConfigurationScope.with { scope in
            try write(scope, "home.yaml", "\(try block("version"))\(try block("actions"))")
            try write(scope, "both_hands.yaml", "version: 1\nfamily: tap\n\(try block("layers"))")
            let configuration = try loader(
                scope,
                "gestures: { devices: [belt] }\n\(try block("devices"))"
                    + "  belt: { family: belt, address: \"C0:FF:EE:00:00:0A\" }\n"
            ).load()
            #expect(configuration.leftOut == [] && configuration.warnings == [])
            let devices = configuration.settings.bridge.devices
            #expect(devices.map(\.name) == ["tap/left", "tap/right", "belt"])
            #expect(devices.map { $0.settings.text("pair") } == ["", "tap/left", nil])
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
