import BridgeContract
import BridgeTesting
import DeviceCatalog
import Testing

@testable import BridgeConfiguration

@Suite("Names in a configuration that have become reserved")
struct ReservedNameTests {
    private static let text = """
        devices:
          zone/left: { family: tap, address: "AA:BB:CC:DD:EE:01" }
          hall/state: { family: tap, address: "AA:BB:CC:DD:EE:02" }
          robot/x: { family: tap, address: "AA:BB:CC:DD:EE:03" }
          tap/x: { family: tap, address: "AA:BB:CC:DD:EE:04" }
        groups:
          reply/hands: [zone/left]
          tap/hands: [tap/x]
        """

    @Test("Such names are warnings with their place, and do not prevent the bridge from starting")
    func configuration() async throws {
        try await ConfigurationScope.with { scope in
            let file = try scope.write("c.yaml", Self.text)
            let loaded = try SettingsLoader(file: file, families: Registry.families).load()
            let warnings = loaded.warnings.map { $0.replacing(scope.folder + "/", with: "") }
            let places = [
                "c.yaml:2:3: devices.zone/left: zone is reserved",
                "c.yaml:3:3: devices.hall/state: its last part state is reserved",
                "c.yaml:4:3: devices.robot/x: robot is the family of other devices",
                "c.yaml:7:3: groups.reply/hands: reply is reserved",
                "c.yaml:8:3: groups.tap/hands: tap is the family of other devices",
            ]
            for place in places { #expect(warnings.contains { $0.hasPrefix(place) }, "\(warnings)") }
            #expect(warnings.count { $0.contains("the device gets the name tap/<id>") } == 3)
            #expect(warnings.count { $0.contains("the group accepts only stops") } == 2)
            #expect(loaded.settings.bridge.devices.count == 4 && loaded.settings.bridge.groups.count == 2)
        }
    }

    @Test("A file for the roster of a fleet is rejected for each such name")
    func fleet() async throws {
        try await ConfigurationScope.with { scope in
            let file = try scope.write("f.yaml", Self.text)
            let error = try #require(throws: SettingsError.self) {
                try FleetFile(path: file, families: Registry.families, reserved: ["homeassistant"])
            }
            #expect(
                error.problems.map(\.path) == [
                    "devices.zone/left", "devices.hall/state", "devices.robot/x", "groups.reply/hands",
                    "groups.tap/hands",
                ])
        }
    }
}
