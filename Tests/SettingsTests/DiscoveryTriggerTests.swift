import Bluetooth
import BridgeContract
import DeviceKit
import HomeAssistant
import HostTesting
import JSON
import Testing

@Suite("The device triggers in Home Assistant")
struct DiscoveryTriggerTests {
    private static let address: Address = "C0:FF:EE:00:00:01"

    private func triggers(_ family: any DeviceFamily) -> [JSON.Value] {
        var settings = JSON.Object()
        for field in family.settings { settings[field.name] = field.default }
        let announcement = HomeAssistant.Surroundings(
            HomeAssistantSettings(hasDriveEntities: true), bridge: "attic", version: "1.0"
        ).announcement(
            HomeAssistant.Device(
                name: family.name, address: Self.address, family: family, settings: Arguments(settings)))
        return announcement.components.members.map(\.value).filter { $0["subtype"] != nil }
    }

    @Test(
        "The triggers of a device have distinct types and subtypes, for each family and each shipped file",
        arguments: ContractTests.families)
    func unique(_ family: any DeviceFamily) {
        let names = triggers(family).map { "\($0["type"]?.string ?? "") \($0["subtype"]?.string ?? "")" }
        #expect(Set(names).count == names.count, "\(names.sorted())")
    }

    @Test("A trigger of a device file contains the name of its feature")
    func named() throws {
        let family = try #require(ContractTests.families.first { $0.name == "microbit" })
        let subtypes = triggers(family).compactMap { $0["subtype"]?.string }
        #expect(
            subtypes == [
                "button_a_released", "button_a_pressed", "button_a_held", "button_b_released",
                "button_b_pressed", "button_b_held",
            ])
    }
}
