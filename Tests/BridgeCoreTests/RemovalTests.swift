import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@Suite("Removed devices and refused requests")
struct RemovalTests {
    private let first: Address = "AA:BB:CC:00:00:01"

    @Test("A forgotten device leaves nothing behind")
    func forget() {
        withLab { lab in
            let bench = lab.bridge(.empty())
            bench.connectBroker()
            bench.request("permit_join", "60")
            bench.hear(first)
            bench.time.advance(by: .milliseconds(500))
            bench.request("permit_join", "0")
            bench.request("forget", "sample")
            #expect(bench.lastResponse("forget") == "ok")
            #expect(bench.link(first)?.disconnects == 1)
            #expect(bench.radio.requests.last == .forget(first))
            #expect(bench.broker.retainedTopics.filter { $0.hasPrefix("sample/") } == [])
            #expect(bench.events().last == "device_left")
            #expect(bench.store.state.devices == [])
            #expect(
                bench.client.filters.map(\.filter) == [
                    "bridge/+/availability", "bridge/+/info", "claim/+", "bridge/+/offer", "roster/+",
                    "bridge/attic/+", "bridge/attic/features/+", "bridge/attic/groups/+/#",
                    "bridge/+/families",
                    "bridge/attic/request/+", "bridge/all/request/+", "bridge/attic/echo", "all/+/set",
                    "all/samples/+/set", "all/samples/set", "all/set",
                ])
            bench.request("forget", "sample")
            #expect(bench.lastResponse("forget") == "unknown_device")
        }
    }

    @Test("A device of the configuration cannot be forgotten, and an unknown request is refused")
    func refusals() {
        withBridge { bench in
            bench.goOnline()
            bench.request("forget", "sample")
            #expect(bench.lastResponse("forget") == "not_supported")
            bench.request("dance", #"{"id":3}"#)
            #expect(bench.lastResponse("dance") == "unknown_feature")
            #expect(bench.broker.objects("bridge/attic/response/dance").last?["id"] == 3)
            bench.broker.send("bridge/attic/request/devices", "", responseTopic: "here")
            #expect(bench.broker.objects("here").last?["devices"]?.array?.count == 1)
        }
    }
}
