import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("The published features of a family")
struct FamilyFeaturesTests {
    private static let topic = "bridge/attic/features/sample"

    @Test("They are published once for all devices of the family, before the first device refers to them")
    func once() throws {
        withLab { lab in
            var settings = BridgeSettings.oneDevice()
            settings.devices.append(
                BridgeSettings.Device(name: "other", family: "sample", address: "AA:00:00:00:00:01"))
            let bench = lab.bridge(settings)
            bench.connectBroker()
            #expect(bench.broker.texts(Self.topic).count == 1)
            #expect(bench.broker.retainedObject(Self.topic)?["level"]?["summary"] == "A plain number.")
            #expect(bench.broker.retainedObject(Self.topic)?["level"]?["set"]?["try"] == "60")
            for name in ["sample", "other"] {
                let features = bench.broker.retainedObject("\(name)/features")
                #expect(features?["family"]?["topic"] == .string(Self.topic))
                #expect(features?["level"]?["set"]?["topic"] == .string("\(name)/level/set"))
            }
            let said = bench.broker.log.map(\.message.topic)
            let first = said.firstIndex { $0.hasSuffix("/features") }
            #expect(
                said.firstIndex(of: Self.topic).map { family in first.map { family < $0 } ?? false } == true)
        }
    }

    @Test("They are cleared with the last device of the family, and published again for the next device")
    func cleared() {
        withLab { lab in
            let bench = lab.bridge(.empty())
            bench.connectBroker()
            #expect(bench.broker.retained(Self.topic) == nil)
            for _ in 0..<2 {
                bench.request("permit_join", "60")
                bench.hear()
                bench.time.advance(by: .milliseconds(500))
                #expect(bench.broker.retained(Self.topic) != nil)
                bench.request("forget", "sample")
                #expect(bench.broker.retained(Self.topic) == nil)
                #expect(!bench.store.state.retainedTopics.contains(Self.topic))
            }
        }
    }

    @Test("They are cleared at the next start if the devices were removed while the bridge was down")
    func stale() {
        withLab { lab in
            let store = MemoryStore()
            let bench = lab.bridge(.oneDevice(), store: store)
            bench.goOnline()
            #expect(bench.broker.retained(Self.topic) != nil)
            bench.cancel()
            bench.client.lose()
            lab.bridge(.empty(), store: store).connectBroker()
            #expect(lab.broker.retained(Self.topic) == nil)
            #expect(!store.state.retainedTopics.contains(Self.topic))
        }
    }

    @Test("A device that another bridge holds refers to the features that this bridge publishes")
    func move() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice())
            let cellar = lab.bridge(.oneDevice("cellar"))
            attic.goOnline()
            cellar.connectBroker()
            func family() -> JSON.Value? {
                lab.broker.retainedObject("sample/features")?["family"]?["topic"]
            }
            #expect(family() == .string(Self.topic))
            attic.link()?.lose()
            cellar.hear()
            cellar.time.advance(by: .milliseconds(250))
            #expect(family() == "bridge/cellar/features/sample")
            #expect(lab.broker.retained("bridge/cellar/features/sample") != nil)
        }
    }
}
