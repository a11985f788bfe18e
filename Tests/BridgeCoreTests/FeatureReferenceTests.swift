import BridgeTesting
import DeviceCatalog
import DeviceKit
import JSON
import Testing

@testable import BridgeCore

@Suite("The reference of a device's features")
struct FeatureReferenceTests {
    private let topics = Topics(bridge: "attic", baseTopic: "base")

    @Test("A feature tells its topics, its fields and a line to try")
    func entry() throws {
        let reference = FeatureReference.value(SampleFamily(), device: "sample/left", topics)
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

    @Test("Every feature of every family is in its reference", arguments: Registry.families.map(\.name))
    func complete(name: String) throws {
        let family = try #require(Registry.family(named: name))
        let reference = FeatureReference.value(family, device: name, topics)
        #expect(reference.object?.keys == family.features.map(\.name))
    }
}
