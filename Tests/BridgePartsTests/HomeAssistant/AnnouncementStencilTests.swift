import Bluetooth
import DeviceKit
import HomeAssistant
import HostTesting
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Shared parts of announcements")
struct AnnouncementStencilTests {
    private static let others: [(name: String, appearance: Appearance, info: DeviceInfo)] = [
        ("hall/left", Appearance(displayName: "hall_left"), DeviceInfo()),
        ("Häll/Left 1", Appearance(), DeviceInfo()),
        ("a", Appearance(), DeviceInfo(manufacturer: "x \"y\"", model: "z", serial: "1")),
        ("wörk-2", Appearance(displayName: "The \"first\" one\\", area: "Hall"), DeviceInfo(firmware: "3")),
        // Names that are prefixes of entity names.
        ("belt", Appearance(), DeviceInfo()), ("BATTERY", Appearance(), DeviceInfo()),
        ("emergency/stop", Appearance(), DeviceInfo()),
    ]

    private static func device(_ family: any DeviceFamily, _ number: Int) -> HomeAssistant.Device {
        var defaults = JSON.Object()
        for field in family.settings { defaults[field.name] = field.default }
        let other = others[number]
        return HomeAssistant.Device(
            name: other.name, address: Address(number: 0x00C0_FFEE_0000 + UInt64(number)), family: family,
            settings: Arguments(defaults), appearance: other.appearance, info: other.info)
    }

    @Test(
        "An announcement from a stencil equals one made for the device alone, byte by byte",
        arguments: Announcer.names)
    func equal(family: String) throws {
        let family = try #require(Announcer.families.first { $0.name == family })
        let surroundings = Announcer.surroundings(patterns: ["normal", "Dinner's ready"])
        var announcements = Announcements()
        for number in Self.others.indices {
            let device = Self.device(family, number)
            let alone = JSON.Value.object(surroundings.announcement(device).published).bytes
            let payload = announcements.publish(device, on: "d/\(number)", surroundings, again: false)
            let text = payload.map { String(decoding: $0, as: UTF8.self) }
            #expect(text == String(decoding: alone, as: UTF8.self))
            let second = announcements.publish(device, on: "d/\(number)", surroundings, again: false)
            #expect(second == nil)
        }
    }

    @Test("A device that lacks a feature, or has another icon or other settings, is of another kind")
    func kinds() throws {
        let family = try #require(Announcer.families.first { $0.name == "tap" })
        let surroundings = Announcer.surroundings()
        let plain = Self.device(family, 0)
        var (lacking, pictured, set, unpublished) = (plain, plain, plain, plain)
        lacking.lacking = Lacking(reports: [family.features[0].name], commands: [])
        pictured.appearance = Appearance(icon: "mdi:hand")
        set.settings = Arguments(["wants": .string("nothing of the kind")])
        unpublished.unpublished = ["battery"]
        var announcements = Announcements()
        for (number, device) in [plain, lacking, pictured, set, unpublished].enumerated() {
            let alone = JSON.Value.object(surroundings.announcement(device).published).bytes
            #expect(announcements.publish(device, on: "d/\(number)", surroundings, again: false) == alone)
        }
        let kinds = Set([plain, lacking, pictured, set, unpublished].map(AnnouncementStencil.Kind.init))
        #expect(kinds.count == 5)
    }

    @Test("After the stencils are discarded, new ones use the new surroundings")
    func forgotten() throws {
        let family = try #require(Announcer.families.first { $0.name == "robot" })
        let device = Self.device(family, 0)
        var announcements = Announcements()
        _ = announcements.publish(device, on: "d", Announcer.surroundings(drive: false), again: false)
        announcements.forgetStencils()
        let surroundings = Announcer.surroundings(drive: true)
        let payload = announcements.publish(device, on: "d", surroundings, again: false)
        #expect(payload == JSON.Value.object(surroundings.announcement(device).published).bytes)
    }
}
