import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("Names of devices")
struct NamingTests {
    @Test("The first device gets the family's name, the second device its id, and both keep their names")
    func secondDevice() {
        withLab { lab in
            let store = MemoryStore()
            let bench = lab.bridge(.empty(join: .always), store: store)
            bench.connectBroker()
            bench.hear("AA:BB:CC:00:00:01")
            bench.hear("AA:BB:CC:00:00:02")
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.availability() == "online")
            #expect(bench.availability("sample/000002") == "online")
            bench.send("level", "5", device: "sample/000002")
            #expect(bench.link("AA:BB:CC:00:00:02")?.writes(SampleFamily.control) == [[5, 5]])
            bench.shutDown()

            let again = lab.bridge(.empty(join: .always), store: store)
            again.connectBroker()
            again.hear("AA:BB:CC:00:00:02")
            #expect(again.availability("sample/000002") == "online")
            #expect(again.availability() == "offline")
        }
    }

    @Test("A configured device that the host knows before the bridge starts is not treated as new")
    func knownAtStart() {
        withLab { lab in
            lab.known = [
                Advertisement(
                    address: BridgeSettings.sample, name: "sample device", rssi: -60, isConnected: true)
            ]
            var settings = BridgeSettings.oneDevice(join: .always)
            settings.devices[0].name = "hall/sample"
            let bench = lab.bridge(settings)
            bench.connectBroker()
            #expect(bench.availability("hall/sample") == "online")
            #expect(bench.availability("sample") == nil)
            #expect(bench.events() == [])
        }
    }

    @Test("A family can name every device by its id")
    func each() {
        var family = SampleFamily()
        family.naming = .each
        withLab { lab in
            let bench = lab.bridge(.empty(join: .always), families: [family])
            bench.connectBroker()
            bench.hear("AA:BB:CC:A1:B2:C3")
            #expect(bench.store.state.devices.map(\.name) == ["sample/a1b2c3"])
        }
    }

    @Test("Topics of devices that were removed or renamed while the bridge was down are cleared at its start")
    func staleTopics() {
        withLab { lab in
            let store = MemoryStore()
            let first = lab.bridge(.oneDevice(), store: store)
            first.radio.setUpLinks { $0.set(SampleFamily.status, [42]) }
            first.goOnline()
            let before = store.state.retainedTopics
            #expect(before.isSuperset(of: ["sample/connection", "sample/level", "bridge/attic/info"]))
            first.shutDown()

            var settings = BridgeSettings.oneDevice()
            settings.devices[0].name = "left"
            let second = lab.bridge(settings, store: store)
            second.connectBroker()
            #expect(lab.broker.retainedTopics.filter { $0.hasPrefix("sample/") } == [])
            #expect(second.connection("left")?["state"] == "searching")
            #expect(store.state.retainedTopics.filter { $0.hasPrefix("sample/") } == [])
        }
    }

    @Test("A device that was removed from the configuration is no longer connected")
    func removedFromConfiguration() {
        withLab { lab in
            let store = MemoryStore()
            let first = lab.bridge(.oneDevice(), store: store)
            first.goOnline()
            first.link()?.notify(SampleFamily.status, [3, 1])
            first.shutDown()
            let second = lab.bridge(.empty(), store: store)
            second.goOnline()
            #expect(second.radio.requests == [])
            #expect(lab.broker.retainedTopics.filter { $0.hasPrefix("sample/") } == [])
        }
    }
}
