import BridgeContract
import BridgeTesting
import DeviceKit
import HomeAssistant
import HostTesting
import JSON
import Testing

@Suite("Entities of a device file that change")
struct FormerComponentTests {
    private static let device = "homeassistant/device/tactile_bridge_aabbcca1b2c3/config"
    private static var settings: BridgeSettings {
        var settings = BridgeSettings.oneDevice()
        settings.homeAssistant = HomeAssistantSettings()
        return settings
    }

    private func family(_ revision: String, _ shown: [Presentation], source: FamilySource = .file)
        -> SampleFamily
    {
        var family = SampleFamily()
        (family.source, family.revision, family.shown) = (source, revision, shown)
        return family
    }

    private func components(_ bench: TestBridge) -> JSON.Value? {
        bench.time.advance(by: .seconds(2))
        return bench.broker.retainedObject(Self.device)?.announcement?["components"]
    }

    @Test("After a reload and after a restart, the announcement removes what the file no longer declares")
    func former() {
        let store = MemoryStore()
        let control = Presentation.control("Level", of: Control("level"))
        let button = Presentation.action("Full", sends: 100, id: "full")
        withLab { lab in
            let bench = lab.bridge(Self.settings, families: [family("1", [control])], store: store)
            bench.goOnline()
            #expect(components(bench)?["level_set_level"]?["platform"] == "number")
            bench.configuration.set(
                ReloadedConfiguration(settings: Self.settings, families: [family("2", [button])]))
            bench.request("reload", "")
            bench.time.advance(by: .seconds(2))
            bench.hear()
            let changed = components(bench)
            #expect(changed?["level_set_level"] == ["platform": "number"])
            #expect(changed?["level_full"]?["platform"] == "button")
            bench.shutDown()
            bench.time.advance(by: .seconds(2))
        }
        withLab { lab in
            let bench = lab.bridge(Self.settings, families: [family("2", [button])], store: store)
            bench.goOnline()
            let later = components(bench)
            #expect(later?["level_set_level"] == ["platform": "number"])
            #expect(later?["level_full"]?["platform"] == "button")
        }
    }

    @Test("The components of a built-in family without a gesture file are not stored")
    func builtIn() {
        let store = MemoryStore()
        withLab { lab in
            let control = Presentation.control("Level", of: Control("level"))
            let bench = lab.bridge(
                Self.settings, families: [family("", [control], source: .builtIn)], store: store)
            bench.goOnline()
            _ = components(bench)
            bench.shutDown()
            bench.time.advance(by: .seconds(2))
        }
        #expect(store.state.devices.allSatisfy { $0.memory["components"] == nil })
    }
}
