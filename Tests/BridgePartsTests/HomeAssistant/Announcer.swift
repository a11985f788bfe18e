import Bluetooth
import BridgeTesting
import DeviceCatalog
import DeviceKit
import HomeAssistant
import HostTesting
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts

enum Announcer {
    static let families: [any DeviceFamily] = Registry.families + [SampleFamily()]
    static let names = families.map(\.name)
    static let address: Address = "C0:FF:EE:00:00:01"

    static func announce(
        _ family: String, name: String? = nil, ownName: String? = nil, drive: Bool = true,
        settings: Arguments? = nil,
        appearance: Appearance = Appearance(), info: DeviceInfo = DeviceInfo(), bridge: String = "attic",
        patterns: [String] = ["normal", "heavy", "Dinner's ready"], unpublished: Set<String> = []
    ) throws -> HomeAssistant.Announcement {
        let family = try #require(families.first { $0.name == family })
        var defaults = JSON.Object()
        for field in family.settings { defaults[field.name] = field.default }
        return surroundings(drive: drive, bridge: bridge, patterns: patterns).announcement(
            HomeAssistant.Device(
                name: name ?? family.name, ownName: ownName, address: address, family: family,
                settings: settings ?? Arguments(defaults), appearance: appearance, info: info,
                unpublished: unpublished))
    }

    static func surroundings(
        drive: Bool = true, bridge: String = "attic", patterns: [String] = []
    ) -> HomeAssistant.Surroundings {
        HomeAssistant.Surroundings(
            HomeAssistantSettings(hasDriveEntities: drive, messagePattern: "normal"), bridge: bridge,
            version: "1.0", patterns: patterns)
    }
}
