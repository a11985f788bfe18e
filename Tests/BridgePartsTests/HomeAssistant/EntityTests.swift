import Bluetooth
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Testing

@testable import BridgeContract
@testable import HomeAssistant

/// A family with one feature, for tests of its presentations.
private struct LampFamily: DeviceFamily {
    let name = "lamp"
    let displayName = "Lamp"
    let naming = Naming.single
    let requirements = LinkRequirements(required: [])
    let settings: [Field] = []
    var features: [Feature] = []

    func recognises(_ advertisement: Advertisement) -> Bool { false }
    func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool { true }
    func makeMachine(_ context: DeviceContext) -> any DeviceMachine {
        SampleFamily().makeMachine(context)
    }
}

@Suite("Entities that a family declares for Home Assistant")
struct EntityTests {
    private static let fields = [
        Field("power", .choice(["on", "off"]), "Whether it is on."),
        Field("level", .integer(0...100), "Brightness."),
        Field("color", .list(.integer(0...255), count: 3...3), "Color."),
        Field("warmth", .integer(2000...6500), "Color temperature."),
        Field("effect", .choice(["none", "fade"]), "Effect."),
    ]
    private static let light = Light(
        power: "power", brightness: "level", full: 100, rgb: "color", colorTemperature: "warmth",
        effect: "effect")

    private static func feature(_ report: Report?, _ fields: [Field], _ shown: [Presentation]) -> Feature {
        Feature(
            "light", "The light.", report: report, command: Command(fields, example: ["power": "on"]),
            shown: shown)
    }

    private static func announcement(
        _ feature: Feature, announced: [String: String] = [:]
    ) -> HomeAssistant.Announcement {
        var device = HomeAssistant.Device(
            name: "lamp", address: Announcer.address, family: LampFamily(features: [feature]))
        device.announced = announced
        return Announcer.surroundings().announcement(device)
    }

    @Test("A light has templates for its fields; only what the report contains is shown")
    func wholeLight() throws {
        let report = Report(
            .state, Self.fields,
            example: ["power": "on", "level": 50, "color": [1, 2, 3], "warmth": 2700, "effect": "none"])
        let announcement = Self.announcement(
            Self.feature(report, Self.fields, [.light("Light", Self.light)]))
        #expect(AcceptedMessage(announcement.message).complaints == [])
        #expect(Announcement.read(announcement.published) == announcement.message)
        let light = try #require(announcement.components["light_light"])
        #expect(light["platform"] == "light" && light["schema"] == "template")
        #expect(light["state_topic"] == "lamp/light" && light["command_topic"] == "lamp/light/set")
        #expect(light["command_off_template"] == #"{"power":"off"}"#)
        #expect(
            light["command_on_template"]
                == #"{"power":"on"{% if brightness is defined %},"level":{{(brightness*100/255)|round|int}}{% endif %}{% if red is defined %},"color":[{{red}},{{green}},{{blue}}]{% endif %}{% if color_temp is defined %},"warmth":{{color_temp}}{% endif %}{% if effect is defined %},"effect":{{effect|tojson}}{% endif %}}"#
        )
        #expect(
            light["state_template"]
                == "{{value_json.power if value and value_json.power is not none else ''}}")
        #expect(
            light["brightness_template"]
                == "{{(value_json.level*255/100)|round|int if value and value_json.level is not none else ''}}"
        )
        #expect(light["green_template"] == "{{value_json.color[1] if value and value_json.color else ''}}")
        #expect(
            light["effect_template"]
                == "{{value_json.effect if value and value_json.effect in ['none','fade'] else ''}}")
        #expect(
            light["min_kelvin"] == 2000 && light["max_kelvin"] == 6500 && light["color_temp_kelvin"] == true)
    }

    @Test("A light without a report has no state topic, and one with a plain Boolean is on if it is true")
    func smallLights() throws {
        let power = Field("power", .boolean, "Whether it is on.")
        let shown = [Presentation.light("Light", Light(power: "power"))]
        let blind = try #require(
            Self.announcement(Self.feature(nil, [power], shown)).components["light_light"])
        #expect(blind["state_topic"] == nil && blind["state_template"] == nil)
        #expect(blind["command_on_template"] == #"{"power":true}"#)
        let plain = try #require(
            Self.announcement(
                Self.feature(Report(.state, .boolean, example: true), [power], shown)
            ).components["light_light"])
        #expect(plain["state_template"] == "{{'on' if value=='true' else 'off'}}")
    }

    @Test("A valve and a switch have the two words of their field; a binary sensor too")
    func pairs() throws {
        let field = Field("position", .choice(["open", "shut"]), "Position.")
        let report = Report(
            .state, [field, Field("charge", .integer(0...100), "Charge.")],
            example: ["position": "open", "charge": 1])
        func component(_ form: Control.Form) throws -> JSON.Value {
            var control = Control("position", state: Control.Source(field: "position"))
            control.form = form
            var shown = Presentation.control("Water", of: control)
            shown.id = form.rawValue
            let announcement = Self.announcement(Self.feature(report, [field], [shown]))
            #expect(AcceptedMessage(announcement.message).complaints == [])
            return try #require(announcement.components["light_\(form.rawValue)"])
        }
        let valve = try component(.valve)
        #expect(valve["platform"] == "valve")
        #expect(valve["payload_open"] == #"{"position":"open"}"# && valve["state_open"] == "open")
        #expect(valve["payload_close"] == #"{"position":"shut"}"# && valve["state_closed"] == "shut")
        #expect(valve["value_template"] == "{{value_json.position if value else none}}")
        let toggle = try component(.toggle)
        #expect(toggle["platform"] == "switch" && toggle["state_on"] == "open")
        var reading = Presentation.reading("Water", of: "position")
        reading.isBinary = true
        let sensor = Self.announcement(Self.feature(report, [field], [reading])).components["light_position"]
        #expect(sensor?["platform"] == "binary_sensor" && sensor?["payload_on"] == "open")
    }

    @Test("A component that the family no longer declares is removed, also one with another platform")
    func former() throws {
        let power = Field("power", .boolean, "Whether it is on.")
        let light = Self.feature(nil, [power], [.light("Light", Light(power: "power"))])
        let former = ["light_set_power": "switch", "light_light": "sensor"]
        let announcement = Self.announcement(light, announced: former)
        #expect(AcceptedMessage(announcement.message).complaints == [])
        #expect(announcement.components["light_set_power"] == ["platform": "switch"])
        // One key cannot remove a sensor and add a light.
        #expect(announcement.components["light_light"] == ["platform": "sensor"])
        let id = announcement.components["light_light_light"]?["unique_id"]
        #expect(id == "tactile_bridge_c0ffee000001_light_light")
        var device = HomeAssistant.Device(
            name: "lamp", address: Announcer.address, family: LampFamily(features: [light]))
        device.announced = former
        let platforms = Announcer.surroundings().platforms(device)
        #expect(platforms["light_set_power"] == "switch" && platforms["light_light_light"] == "light")
        // The first platform of a key stays, so that the keys do not change again.
        device.announced = platforms
        #expect(Announcer.surroundings().platforms(device) == platforms)
        let again = Announcer.surroundings().announcement(device).components
        #expect(
            again["light_light"] == ["platform": "sensor"] && again["light_light_light"]?["unique_id"] == id)
    }

    @Test("A trigger keeps its key if other words come or go, and each type and subtype occurs once")
    func triggers() {
        func event(_ name: String, _ words: [String]) -> Feature {
            let field = Field("word", .choice(words), "Which.")
            return Feature(
                name, "An event.", report: Report(.event, [field], example: ["word": .string(words[0])]),
                shown: [.happening("Event", by: ["word"], verb: "made")])
        }
        let features = [event("gesture", ["up", "left"]), event("action", ["down", "up"])]
        var device = HomeAssistant.Device(
            name: "lamp", address: Announcer.address, family: LampFamily(features: features))
        device.announced = ["action_before": "device_automation"]
        let announcement = Announcer.surroundings().announcement(device)
        #expect(AcceptedMessage(announcement.message).complaints == [])
        let subtypes = ["gesture_up", "action_down", "action_up"].map {
            announcement.components[$0]?["subtype"]
        }
        #expect(subtypes == ["up", "down", "action_up"])
        // Home Assistant reads the components in order, and must remove a trigger before another one takes its words.
        #expect(announcement.message["components"]?.object?.members.first?.key == "action_before")
    }

    @Test("A component of a state that has not been published is not removed")
    func unpublished() {
        let report = Report(.state, .integer(0...9), example: 1)
        let feature = Feature("level", "Level.", report: report, shown: [.reading("Level")])
        var device = HomeAssistant.Device(
            name: "lamp", address: Announcer.address, family: LampFamily(features: [feature]),
            unpublished: ["level"])
        device.announced = ["level": "sensor"]
        #expect(Announcer.surroundings().announcement(device).components["level"] == nil)
    }
}
