import Bluetooth
import BridgeTesting
import DeviceCatalog
import DeviceKit
import HostTesting
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeParts
@testable import HomeAssistant

@Suite("Announcements of devices to Home Assistant")
struct DiscoveryMessageTests {
    @Test(
        "Home Assistant accepts every message, and every key of it",
        arguments: Announcer.names, [true, false])
    func accepted(_ family: String, drive: Bool) throws {
        let announcement = try Announcer.announce(
            family, drive: drive,
            appearance: Appearance(displayName: "Anna's", area: "Hall", icon: "mdi:run"),
            info: DeviceInfo(
                manufacturer: "M", model: "N", hardware: "1", firmware: "2", serial: "3"))
        #expect(AcceptedMessage(announcement.message).complaints == [])
        #expect(announcement.topic == "homeassistant/device/tactile_bridge_c0ffee000001/config")
        #expect(announcement.components.count > 3)
    }

    @Test("Home Assistant accepts the bridge's message")
    func bridge() {
        let announcement = Announcer.surroundings(bridge: "attic_2").bridgeAnnouncement(Announcer.families)
        #expect(AcceptedMessage(announcement.message).complaints == [])
        #expect(announcement.topic == "homeassistant/device/tactile_bridge_bridge_attic_5f2/config")
        let button = announcement.components["permit_join_start"]
        #expect(button?["platform"] == "button")
        #expect(button?["command_topic"] == "bridge/attic_2/request/permit_join")
        #expect(announcement.components["availability"]?["availability"] == [])
    }

    @Test(
        "The published message is short, and Home Assistant expands it to the whole message",
        arguments: Announcer.names, [true, false])
    func published(_ family: String, drive: Bool) throws {
        let announcement = try Announcer.announce(
            family, drive: drive, appearance: Appearance(area: "Hall"),
            info: DeviceInfo(
                manufacturer: "M", model: "N", hardware: "1", firmware: "2", serial: "3"))
        #expect(Announcement.read(announcement.published) == announcement.message)
        #expect(Announcement.longKeys(announcement.published) == [])
    }

    @Test("The bridge's published message is short, and is expanded to the whole message")
    func bridgePublished() {
        let announcement = Announcer.surroundings().bridgeAnnouncement(Announcer.families)
        #expect(Announcement.read(announcement.published) == announcement.message)
        #expect(Announcement.longKeys(announcement.published) == [])
        #expect(Announcement.longKeys(announcement.message).contains("availability"))
    }

    @Test("A message that Home Assistant rejects, or a key that it drops, is detected")
    func noticed() throws {
        let good = try Announcer.announce("belt").message
        func complaints(_ change: (inout JSON.Object) -> Void) -> [String] {
            var message = good
            change(&message)
            return AcceptedMessage(message).complaints
        }
        func component(_ name: String, _ change: (inout JSON.Object) -> Void) -> [String] {
            complaints { message in
                var components = message["components"]?.object ?? JSON.Object()
                var one = components[name]?.object ?? JSON.Object()
                change(&one)
                components[name] = .object(one)
                message["components"] = .object(components)
            }
        }
        #expect(complaints { _ in } == [])
        #expect(complaints { $0["~"] = "belt" } == ["~ is not known at the top"])
        #expect(complaints { $0["origin"] = nil }.contains("origin is missing"))
        #expect(component("battery_level") { $0["unique_id"] = nil } == ["battery_level: no unique_id"])
        #expect(component("battery_level") { $0["unit_of_measurement"] = "V" }.count == 1)
        #expect(component("battery_level") { $0["entity_category"] = "config" }.count == 1)
        #expect(component("battery_level") { $0["valu_template"] = "x" }.count == 1)
        #expect(component("button") { $0["event_types"] = nil } == ["button: event_types is missing"])
        #expect(component("mode_set_mode") { $0["command_topic"] = "belt/+/set" }.count == 1)
        #expect(component("mode_set_mode") { $0["platform"] = "selct" }.count == 1)
    }

    @Test(
        "The command accepts the payload of every choice that Home Assistant offers",
        arguments: Announcer.names)
    func commands(_ name: String) throws {
        let family = try #require(Announcer.families.first { $0.name == name })
        let announcement = try Announcer.announce(name, patterns: ["normal", "heavy"])
        var count = 0
        for member in announcement.components.members {
            guard let topic = member.value["command_topic"]?.string else { continue }
            let feature = try #require(announcement.features[member.key])
            #expect(topic == "\(name)/\(feature)/set")
            let command = try #require(family.feature(feature)?.command)
            for payload in Self.payloads(member.value) {
                _ = try command.parse(Array(payload.utf8))
                count += 1
            }
        }
        #expect(count > 2)
    }

    /// The payloads that Home Assistant sends for the choices. Only templates that insert a value are rendered here;
    /// `Tests/HomeAssistant` renders all templates with Home Assistant's code.
    private static func payloads(_ component: JSON.Value) -> [String] {
        var choices = ["payload_press", "payload_on", "payload_off"].compactMap { component[$0]?.string }
        choices += component["options"]?.array?.compactMap(\.string) ?? []
        choices += ["min", "max"].compactMap { component[$0] }.map(\.description)
        guard let template = component["command_template"]?.string, component["platform"] != "notify" else {
            return choices
        }
        return choices.map { choice in
            let value = choice == "nothing" ? "none" : choice
            return template.replacing("{{value}}", with: value)
                .replacing("{{value|tojson}}", with: JSON.Value.string(value).description)
                .replacing("{{ {'nothing':'none'}.get(value,value)|tojson}}", with: "\"\(value)\"")
        }
    }

    @Test("A rename and a move to another bridge change no identifier")
    func identifiers() throws {
        let (old, new) = (
            try Announcer.announce("belt"),
            try Announcer.announce("belt", name: "belt/left", bridge: "cellar")
        )
        #expect(old.topic == new.topic)
        #expect(old.components.keys == new.components.keys)
        #expect(old.message["device"]?["identifiers"] == new.message["device"]?["identifiers"])
        for key in old.components.keys {
            #expect(old.components[key]?["unique_id"] == new.components[key]?["unique_id"])
        }
        #expect(new.components["battery_level"]?["state_topic"] == "belt/left/battery")
        #expect(
            new.components["battery_level"]?["unique_id"] == "tactile_bridge_c0ffee000001_battery_level")
        #expect(new.message["device"]?["via_device"] == "tactile_bridge_bridge_cellar")
        #expect(new.message["device"]?["name"] == "belt left")
    }

    @Test("People read the name that the configuration sets, then the name that the device gives itself")
    func names() throws {
        func name(_ announcement: HomeAssistant.Announcement) -> JSON.Value? {
            announcement.message["device"]?["name"]
        }
        #expect(name(try Announcer.announce("tap", name: "tap/000001")) == "tap 000001")
        let named = try Announcer.announce("tap", name: "tap/000001", ownName: "Anna's TAP")
        #expect(name(named) == "Anna's TAP")
        let told = try Announcer.announce(
            "tap", name: "tap/000001", ownName: "Anna's TAP", appearance: Appearance(displayName: "Left hand")
        )
        #expect(name(told) == "Left hand")
    }

    @Test(
        "The ids of entities follow the topics, whatever name and area are displayed",
        arguments: Announcer.names)
    func entityIDs(_ family: String) throws {
        let plain = try Announcer.announce(family, name: "hall/Left 1")
        let told = try Announcer.announce(
            family, name: "hall/Left 1", ownName: "Käthe",
            appearance: Appearance(displayName: "Anna's", area: "Hall"))
        for member in plain.components.members where member.value["unique_id"] != nil {
            let id = try #require(member.value["default_entity_id"]?.string)
            let platform = try #require(member.value["platform"]?.string)
            #expect(id.hasPrefix("\(platform).hall_left_1_"), "\(member.key)")
            #expect(told.components[member.key]?["default_entity_id"]?.string == id, "\(member.key)")
        }
        #expect(
            try Announcer.announce("belt").components["battery_level"]?["default_entity_id"]
                == "sensor.belt_battery")
    }

    @Test("A reading without a value is left out, which neither creates nor removes it; a control stays")
    func unpublished() throws {
        let announcement = try Announcer.announce("belt", unpublished: ["battery", "intensity"])
        #expect(announcement.components["battery_level"] == nil)
        #expect(announcement.components["battery_power"] == nil)
        #expect(announcement.components["intensity_set_intensity"]?["command_topic"] != nil)
        #expect(announcement.components["mode"]?["state_topic"] == "belt/mode")
    }

    @Test("The configuration sets the name, the area and the icon of a device")
    func looks() throws {
        let plain = try Announcer.announce("belt")
        let told = try Announcer.announce(
            "belt", appearance: Appearance(displayName: "Mode", area: "Hall", icon: "mdi:run"))
        #expect(told.message["device"]?["name"] == "Mode")
        #expect(told.message["device"]?["suggested_area"] == "Hall")
        // The icon applies to controls, and not to diagnostic entities.
        #expect(told.components["intensity_set_intensity"]?["icon"] == "mdi:run")
        #expect(told.components["connection_state"]?["icon"] == "mdi:bluetooth-connect")
        // Home Assistant prepends the device's name.
        #expect(plain.components["mode_set_mode"]?["name"] == "Mode")
        #expect(told.components["mode_set_mode"]?["name"] == .null)
        #expect(
            HomeAssistant.Component.name("Belt pose", beside: "belt") == "Pose")
    }

    @Test(
        "A device is available while its bridge and the device are; its diagnostic entities depend on the bridge only"
    )
    func availability() throws {
        let announcement = try Announcer.announce("belt")
        #expect(
            announcement.message["availability"] == [
                ["topic": "bridge/attic/availability"], ["topic": "belt/availability"],
            ])
        #expect(announcement.message["availability_mode"] == "all")
        for key in ["last_seen", "connection_state", "availability"] {
            #expect(
                announcement.components[key]?["availability"] == [["topic": "bridge/attic/availability"]])
        }
    }
}
