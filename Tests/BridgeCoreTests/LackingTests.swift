import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HomeAssistant
import HostTesting
import JSON
import Messages
import Testing

@Suite("Devices that lack features of their family")
struct LackingTests {
    private static let announcement = "homeassistant/device/tactile_bridge_aabbcca1b2c3/config"
    private static let names = ["level", "motion", "aim"]

    private static func settings() -> BridgeSettings {
        var settings = BridgeSettings.oneDevice()
        settings.homeAssistant = HomeAssistantSettings()
        return settings
    }

    /// The features in the device's `features` and in the list of devices.
    private func features(_ bench: TestBridge) -> (own: Set<String>, listed: Set<String>) {
        let list = bench.broker.retainedObject("bridge/attic/devices")?.array?.first?["features"]
        return (
            Set(bench.broker.retainedObject("sample/features")?.object?.keys ?? []),
            Set(list?.array?.compactMap(\.string) ?? [])
        )
    }

    private func control(_ bench: TestBridge) -> JSON.Value? {
        bench.broker.retainedObject(Self.announcement)?.announcement?["components"]?["level_set_level"]
    }

    @Test("A lacking feature is not listed, its report is cleared, and both return with the feature")
    func whole() {
        withLab { lab in
            let bench = lab.bridge(Self.settings())
            bench.goOnline()
            bench.time.advance(by: .seconds(1))
            #expect(features(bench).own.isSuperset(of: Self.names))
            bench.link()?.notify(SampleFamily.status, [5, 60])
            #expect(bench.broker.retained("sample/level") != nil)
            #expect(control(bench)?["command_topic"] == "sample/level/set")

            bench.link()?.notify(SampleFamily.status, [10, 1])
            bench.time.advance(by: .seconds(1))
            #expect(features(bench).own.isDisjoint(with: Self.names))
            #expect(features(bench).listed.isDisjoint(with: Self.names))
            #expect(features(bench).listed.contains("mode"))
            #expect(bench.broker.retained("sample/level") == nil)
            // Home Assistant removes a component that contains only its platform.
            #expect(control(bench)?.object?.keys == ["platform"])

            bench.link()?.notify(SampleFamily.status, [10, 0])
            bench.time.advance(by: .seconds(1))
            #expect(features(bench).own.isSuperset(of: Self.names))
            #expect(features(bench).listed.isSuperset(of: Self.names))
            #expect(control(bench)?["command_topic"] == "sample/level/set")
        }
    }

    @Test("A group passes no command to a device that lacks the feature")
    func group() {
        withLab { lab in
            let bench = lab.bridge(Self.settings())
            bench.goOnline()
            bench.link()?.notify(SampleFamily.status, [10, 1])
            bench.broker.send("all/samples/level/set", "9")
            let result = bench.broker.objects("all/samples/result").last
            #expect(result?["code"] == "unknown_feature")
            #expect(result?["message"]?.string?.contains("level") == true)
            #expect(result?["message"]?.string?.contains("allowed: halt mode mute reset stop") == true)
        }
    }

    @Test("Lacking features are known after a restart before the device is connected")
    func restart() {
        withLab { lab in
            let store = MemoryStore()
            let bench = lab.bridge(Self.settings(), store: store)
            bench.goOnline()
            bench.link()?.notify(SampleFamily.status, [10, 1])
            bench.time.advance(by: .seconds(1))
            bench.cancel()
            bench.client.lose()
            lab.broker.clearLog()
            let next = lab.bridge(Self.settings(), store: store)
            next.connectBroker()
            next.time.advance(by: .seconds(1))
            #expect(lab.broker.log.contains { $0.message.topic == "sample/features" })
            #expect(features(next).own.isDisjoint(with: Self.names))
        }
    }
}
