import BridgeTesting
import DeviceCatalog
import DeviceKit
import HomeAssistant
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Reference of a device's features")
struct FeatureReferenceTests {
    private let topics = Topics(bridge: "attic", baseTopic: "base")

    private func reference(_ family: any DeviceFamily, device: String) -> JSON.Value {
        FeatureReference.value(family.features) { (topics.report(device, $0), topics.command(device, $0)) }
    }

    @Test("A feature has its topics, its fields and an example line")
    func entry() throws {
        let reference = reference(SampleFamily(), device: "sample/left")
        let level = try #require(reference["level"])
        #expect(level["kind"] == "state")
        #expect(level["topic"] == "base/sample/left/level")
        #expect(level["unit"] == "%")
        #expect(level["set"]?["topic"] == "base/sample/left/level/set")
        #expect(level["set"]?["shorthand"] == ["level"])
        #expect(level["set"]?["fields"]?["level"]?["required"] == true)
        #expect(level["set"]?["try"] == "mosquitto_pub -t base/sample/left/level/set -m 60")
        #expect(reference["aim"]?["kind"] == "command")
        #expect(reference["aim"]?["set"]?["traits"] == ["latest", "kept"])
        #expect(
            reference["reset"]?["set"]?["try"]
                == #"mosquitto_pub -t base/sample/left/reset/set -m '{"confirm":true}'"#)
    }

    @Test("Limits, values, rules and traits are members in addition to the text")
    func keys() throws {
        let belt = try #require(Announcer.families.first { $0.name == "belt" })
        let reference = reference(belt, device: "belt")
        #expect(reference["intensity"]?["minimum"] == 0 && reference["intensity"]?["maximum"] == 100)
        #expect(reference["mode"]?["values"]?.array?.contains("compass") == true)
        let vibrate = try #require(reference["vibrate"]?["set"]?["fields"])
        #expect(vibrate["motors"]?["length"] == [1, 6])
        #expect(vibrate["motors"]?["items"] == ["type": "integer", "minimum": 0, "maximum": 15])
        #expect(vibrate["direction"]?["exclusive_maximum"] == 360)
        #expect(vibrate["iterations"]?["nullable"] == true && vibrate["iterations"]?["default"] == .null)
        #expect(
            reference["sound"]?["set"]?["rules"] == [["exactly_one": ["sound", "steps"]]])
        #expect(reference["navigation"]?["set"]?["kept"] == true)
        #expect(reference["orientation"]?["fields"]?["sensors"]?["fields"]?["fusion"]?["maximum"] == 3)
        let tap = try #require(Announcer.families.first { $0.name == "tap" })
        #expect(self.reference(tap, device: "tap")["tapped"]?["private"] == true)
        let robot = try #require(Announcer.families.first { $0.name == "robot" })
        #expect(self.reference(robot, device: "robot")["drive"]?["set"]?["hazardous"] == true)
    }

    @Test("Every feature of every family is in its reference", arguments: Announcer.names)
    func complete(name: String) throws {
        let family = try #require(Announcer.families.first { $0.name == name })
        #expect(reference(family, device: name).object?.keys == family.features.map(\.name))
        let device = FeatureReference.device(family, name: name, topics)
        #expect(device.object?.keys == ["family"] + family.features.map(\.name))
    }

    @Test(
        "A family's description lacks only the topics, which belong to the device",
        arguments: Announcer.names)
    func together(name: String) throws {
        let family = try #require(Announcer.families.first { $0.name == name })
        let device = FeatureReference.device(family, name: "hall/left", topics)
        #expect(device["family"]?["name"] == .string(name))
        #expect(device["family"]?["topic"] == .string("base/bridge/attic/features/\(name)"))
        let described = FeatureReference.family(family.name, family.features)
        #expect(described["family"] == ["name": .string(name)])
        for member in try #require(reference(family, device: "hall/left").object).members {
            var whole = try #require(member.value.object)
            let own = device[member.key]
            #expect(own?["kind"] == whole["kind"] && own?["topic"] == whole["topic"])
            whole["topic"] = nil
            if var set = whole["set"]?.object {
                #expect(own?["set"]?["topic"] == set["topic"])
                set["topic"] = nil
                set["try"] = described[member.key]?["set"]?["try"]
                whole["set"] = .object(set)
            }
            #expect(described[member.key] == .object(whole), "\(member.key)")
        }
        #expect(described.object?.keys == ["family"] + family.features.map(\.name))
    }

    // The limits are a tenth above measured sizes.
    @Test(
        "The size of the retained description of a family is limited",
        arguments: [("belt", 40_500), ("tap", 21_500), ("robot", 9_100)])
    func familySize(name: String, limit: Int) throws {
        let family = try #require(Announcer.families.first { $0.name == name })
        #expect(FeatureReference.family(family.name, family.features).bytes.count < limit)
    }

    @Test("No feature has the name of the member that names the family", arguments: Announcer.names)
    func familyMember(name: String) throws {
        let family = try #require(Announcer.families.first { $0.name == name })
        #expect(!family.features.contains { $0.name == FeatureReference.familyKey })
    }

    @Test(
        "The size of the retained description of a device is limited",
        arguments: [("belt", 20_500), ("tap", 17_000), ("robot", 7_150)])
    func size(name: String, limit: Int) throws {
        let family = try #require(Announcer.families.first { $0.name == name })
        let features = FeatureReference.device(family, name: name, topics).bytes.count
        let announcement = try Announcer.announce(name, drive: false)
        #expect(features + JSON.Value.object(announcement.published).bytes.count < limit)
    }
}
