import Bluetooth
import BridgeTesting
import DeviceCatalog
import DeviceKit
import HostTesting
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts
@testable import HomeAssistant

@Suite("Events, choices and conditions in Home Assistant")
struct DiscoveryTranslationTests {
    @Test("Events are distinguished without a template in the automation")
    func events() throws {
        let announcement = try Announcer.announce("belt")
        let event = try #require(announcement.components["button"])
        #expect(event["platform"] == "event")
        #expect(
            event["event_types"] == [
                "power_short", "power_long", "pause_short", "pause_long", "compass_short", "compass_long",
                "home_short", "home_long",
            ])
        #expect(
            event["value_template"]
                == "{{value and dict(value_json,event_type=value_json.button~'_'~value_json.press)|to_json}}")
        let trigger = try #require(announcement.components["button_home_short"])
        #expect(trigger["platform"] == "device_automation")
        #expect(trigger["type"] == "pressed" && trigger["subtype"] == "home_short")
        #expect(trigger["payload"] == "home_short" && trigger["topic"] == "belt/button")
        #expect(trigger["value_template"] == "{{value and value_json.button~'_'~value_json.press}}")
        #expect(announcement.components["home"]?["event_types"] == ["requested"])
        // Every message of the topic is a request.
        let only = try #require(announcement.components["home_requested"])
        #expect(only["topic"] == "belt/home" && only["payload"] == nil && only["value_template"] == nil)
    }

    @Test("Taps are 31 events and triggers, and none if they are not published")
    func taps() throws {
        let shown = try Announcer.announce("tap", settings: ["publish_taps": true]).components
        let types = try #require(shown["tapped"]?["event_types"]?.array).compactMap(\.string)
        #expect(types.count == 31)
        #expect(types.contains("thumb_middle") && types.last == "thumb_index_middle_ring_pinky")
        let triggers = shown.members.filter { $0.key.hasPrefix("tapped_t") }
        #expect(triggers.count == 31)
        #expect(triggers.allSatisfy { $0.value["type"] == "tapped" })
        #expect(Set(triggers.compactMap { $0.value["subtype"]?.string }) == Set(types))
        // Thumb is bit 1 and middle bit 4 in the message.
        #expect(shown["tapped_t5"]?["subtype"] == "thumb_middle" && shown["tapped_t5"]?["payload"] == "5")
        #expect(triggers.allSatisfy { $0.value["value_template"] == "{{value and value_json.combination}}" })

        let hidden = try Announcer.announce("tap", settings: ["publish_taps": false]).components
        #expect(hidden["tapped"] == ["platform": "event"])
        #expect(hidden["tapped_t1"] == ["platform": "device_automation"])
        #expect(hidden["gesture"]?["unique_id"] != nil)
    }

    @Test("A list of values has an event type for each combination, numbered by its bits")
    func combinations() {
        let feature = Feature(
            "tapped", "Tapped.",
            report: Report(
                .event,
                [Field("fingers", .list(.choice(["a", "b", "c", "d", "e"]), count: 1...5), "Which.")],
                example: ["fingers": ["a"]]))
        let types = HomeAssistant.EventTypes(["fingers"], feature, verb: "tapped")
        #expect(types.words.count == 31)
        #expect(types.words[4 - 1] == "c")
        #expect(types.words[7 - 1] == "a_b_c")
        #expect(types.words[31 - 1] == "a_b_c_d_e")
        #expect(Set(types.words).count == 31)
    }

    @Test("A number that encodes a list distinguishes its combinations, if it has the same range")
    func numbers() {
        func number(_ field: FieldType, by fields: [String] = ["fingers"]) -> String? {
            let feature = Feature(
                "tapped", "Tapped.",
                report: Report(
                    .event,
                    [
                        Field("fingers", .list(.choice(["a", "b", "c"]), count: 1...3), "Which."),
                        Field("hand", .choice(["left", "right"]), "Which."),
                        Field("bits", field, "The same."),
                    ],
                    example: ["fingers": ["a"], "hand": "left", "bits": 1]))
            return HomeAssistant.EventTypes(fields, feature, verb: "tapped", bits: "bits").number
        }
        #expect(number(.integer(1...7)) == "value_json.bits")
        #expect(number(.integer(0...7)) == nil && number(.text(0...7)) == nil)
        #expect(number(.integer(1...14), by: ["fingers", "hand"]) == nil)
    }

    @Test("A value that the user cannot choose, or that Home Assistant reads as unknown, is translated")
    func translation() throws {
        let belt = try Announcer.announce("belt").components
        // Modes that require a confirmation are shown by a sensor, but not offered.
        #expect(belt["mode_set_mode"]?["options"]?.array?.contains("standby") == false)
        #expect(belt["mode_set_mode"]?["value_template"]?.string?.contains("standby") == false)
        #expect(belt["mode"]?["options"]?.array?.contains("standby") == true)
        // Home Assistant reads "none" as unknown.
        #expect(belt["navigation_set_signal"]?["options"]?.array?.contains("none") == false)
        #expect(belt["navigation_set_signal"]?["options"]?.array?.contains("nothing") == true)
        // A belt may report 3 %, which cannot be set.
        #expect(belt["intensity_set_intensity"]?["min"]?.integer == 5)
        #expect(
            belt["intensity_set_intensity"]?["value_template"]
                == "{{(value if 5<=value|float<=100 else none) if value else none}}")
        #expect(
            belt["navigation_set_signal"]?["value_template"]
                == "{{ {'none':'nothing'}.get((value_json.signal or 'navigating'),(value_json.signal or 'navigating')) if value else none}}"
        )
        // While the navigation is stopped, the controls show what the next one uses.
        #expect(
            belt["navigation_set_direction"]?["value_template"]
                == "{{(value_json.direction or 0)|float|round|int%360 if value else none}}")
        // The JSON value true is True in Home Assistant's templates.
        #expect(
            belt["orientation_accurate"]?["value_template"] == "{{value_json.accurate if value else none}}")
        #expect(belt["orientation_accurate"]?["payload_on"] == "True")
        #expect(belt["pairing_required_set_pairing_required"]?["payload_on"] == "true")
        #expect(belt["pairing_required_set_pairing_required"]?["value_template"] == nil)
        #expect(belt["pairing_required_set_pairing_required"]?["state_on"] == nil)
    }

    @Test("Null is a word where words are shown, so that a healthy device is not unknown")
    func nothing() throws {
        let robot = try Announcer.announce("robot").components
        #expect(
            robot["status_blocked_by"]?["value_template"]
                == "{{(value_json.blocked_by or 'none') if value else none}}")
        let options = robot["status_blocked_by"]?["options"]?.array?.compactMap(\.string) ?? []
        #expect(options.last == "none" && options.contains("guardian"))
        #expect(
            robot["connection_advice"]?["value_template"]
                == "{{(value_json.advice or 'none')[:255] if value else none}}")
        let belt = try Announcer.announce("belt").components
        #expect(
            belt["haptic_playing"]?["value_template"]
                == "{{(value_json.playing or 'none') if value else none}}")
        // A number has no word.
        #expect(
            robot["status_direction"]?["value_template"] == "{{value_json.direction if value else none}}")
    }

    @Test("A time in seconds that can exceed an hour is shown in hours")
    func hours() throws {
        let left = try #require(try Announcer.announce("belt").components["battery_remaining_s"])
        #expect(
            left["value_template"] == "{{(value_json.remaining_s|float/3600)|round(2) if value else none}}")
        #expect(left["unit_of_measurement"] == "h" && left["suggested_display_precision"] == 1)
        #expect(left["device_class"] == "duration")
    }

    @Test("A robot can be stopped from anywhere, and driven only if the configuration allows it")
    func robot() throws {
        let still = try Announcer.announce("robot", drive: false).components
        for name in ["stop", "emergency_stop"] {
            #expect(still[name]?["platform"] == "button")
            #expect(still[name]?["command_topic"] == .string("robot/\(name)/set"))
            // A robot that is out of range receives it when it returns.
            #expect(still[name]?["availability"] == [["topic": "bridge/attic/availability"]])
        }
        #expect(still["status_moving"]?["device_class"] == "moving")
        let commanded = still.members.filter { $0.value["command_topic"] != nil }.map(\.key)
        #expect(commanded == ["stop", "emergency_stop"])
        #expect(still["drive_forward"] == ["platform": "button"])

        let driven = try Announcer.announce("robot", drive: true, settings: ["allow_weapon": false])
            .components
        #expect(driven["drive_forward"]?["payload_press"] == #"{"direction":0,"speed":0.3}"#)
        #expect(driven["drive_forward"]?["qos"] == 0)
        #expect(driven["power_set_power"]?["state_topic"] == "robot/status")
        #expect(driven["weapon_run"] == ["platform": "button"])
        let armed = try Announcer.announce("robot", drive: true, settings: ["allow_weapon": true]).components
        #expect(armed["weapon_run"]?["command_topic"] == "robot/weapon/set")
        #expect(armed["weapon_run"]?["payload_press"] == #"{"weapon":true,"duration_ms":1000}"#)
    }

    @Test("A message plays the pattern of its name, or else the configured one", arguments: ["belt", "tap"])
    func message(_ family: String) throws {
        let message = try #require(try Announcer.announce(family).components["haptic_message"])
        #expect(message["platform"] == "notify")
        #expect(message["command_topic"] == .string("\(family)/haptic/set"))
        #expect(
            message["command_template"]
                == .string(
                    "{{ {'normal':'normal','heavy':'heavy','dinner\\'s ready':'Dinner\\'s ready'}"
                        + ".get(value|trim|lower,'normal')}}"))
        let lower = try Announcer.announce(family, patterns: ["normal", "heavy"]).components
        #expect(
            lower["haptic_message"]?["command_template"]
                == "{% set v=value|trim|lower %}{{v if v in ['normal','heavy'] else 'normal'}}")
    }

    @Test("A component that the configuration does not allow has only its platform, and so is removed")
    func conditions() throws {
        var family = SampleFamily()
        family.shown = [
            .reading("Level", when: .setting("loud")),
            .control("Level", of: Control("level"), when: .motion),
        ]
        func components(_ settings: Arguments, drive: Bool) -> JSON.Object {
            Announcer.surroundings(drive: drive).announcement(
                HomeAssistant.Device(
                    name: "s", address: Announcer.address, family: family, settings: settings)
            ).components
        }
        let none = components(["loud": false], drive: false)
        #expect(none["level"] == ["platform": "sensor"])
        #expect(none["level_set_level"] == ["platform": "number"])
        let all = components(["loud": true], drive: true)
        #expect(all["level"]?["unique_id"] != nil)
        #expect(all["level_set_level"]?["unique_id"] != nil)
    }
}
