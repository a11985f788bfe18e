import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HomeAssistant
import HostTesting
import JSON
import Testing

// The names that people read, and the values that do not exist yet.
extension AnnouncingTests {
    private func device(_ bench: TestBridge) -> JSON.Value? {
        bench.broker.retainedObject(Self.device)?.announcement?["device"]
    }

    private func components(_ bench: TestBridge) -> JSON.Value? {
        bench.broker.retainedObject(Self.device)?.announcement?["components"]
    }

    @Test("A device is announced with its own name, also after a restart before it is connected")
    func ownName() {
        withLab { lab in
            let store = MemoryStore()
            let bench = lab.bridge(settings(), store: store)
            bench.connectBroker()
            #expect(device(bench)?["name"] == "sample")
            bench.hear(name: "sample of Anna")
            #expect(device(bench)?["name"] == "sample of Anna")
            #expect(device(bench)?["sw_version"] == "1")
            bench.time.advance(by: .seconds(1))
            bench.cancel()
            bench.client.lose()
            let next = lab.bridge(settings(), store: store)
            next.connectBroker()
            #expect(device(next)?["name"] == "sample of Anna")
            #expect(device(next)?["sw_version"] == "1")
            #expect(next.broker.retainedObject("sample/info")?["name"] == "sample of Anna")
        }
    }

    @Test("A device that advertises one name after another is announced once in ten seconds")
    func manyNames() {
        withLab { lab in
            let bench = lab.bridge(settings())
            bench.goOnline()
            bench.time.advance(by: .seconds(20))
            let count = announced(bench).count
            for number in 1...9 {
                bench.hear(name: "sample \(number)")
                bench.time.advance(by: .milliseconds(500))
            }
            #expect(announced(bench).count == count)
            bench.time.advance(by: .seconds(10))
            #expect(announced(bench).count == count + 1)
            #expect(device(bench)?["name"] == "sample 9")
        }
    }

    @Test("A reading is announced with its first value, and at once after a restart")
    func firstValue() {
        withLab { lab in
            let store = MemoryStore(Self.joined)
            let bench = lab.bridge(settings(.empty()), store: store)
            bench.goOnline()
            bench.time.advance(by: .seconds(2))
            #expect(components(bench)?["mode_set_mode"] != nil)
            #expect(components(bench)?["mode_stopped_by"] == nil)
            bench.link()?.notify(SampleFamily.status, [2, 1])
            #expect(components(bench)?["mode_stopped_by"] == nil)
            bench.time.advance(by: .seconds(1))
            #expect(components(bench)?["mode_stopped_by"]?["state_topic"] == "sample/mode")
            bench.request("rename", #"{"device":"sample","to":"hall/sample"}"#)
            #expect(components(bench)?["mode_stopped_by"]?["state_topic"] == "hall/sample/mode")
            bench.cancel()
            bench.client.lose()
            let next = lab.bridge(settings(.empty()), store: store)
            next.connectBroker()
            #expect(components(next)?["mode_stopped_by"] != nil)
        }
    }
}
