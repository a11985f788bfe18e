import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@Suite("Requests about devices")
struct RequestTests {
    private static let first: Address = "AA:BB:CC:00:00:01"
    private static let second: Address = "AA:BB:CC:00:00:02"

    /// Runs a test with a bridge that two devices have joined: `sample` and `sample/000002`.
    private func withJoined(
        _ store: MemoryStore = MemoryStore(), groups: [BridgeSettings.Group] = [],
        _ body: (TestBridge) throws -> Void
    ) rethrows {
        try withLab { lab in
            var settings = BridgeSettings.empty()
            settings.groups = groups
            settings.reservedNames = ["homeassistant"]
            let bench = lab.bridge(settings, store: store)
            bench.connectBroker()
            bench.request("permit_join", #"{"seconds":60,"max":2}"#)
            bench.hear(Self.first)
            bench.hear(Self.second)
            bench.time.advance(by: .milliseconds(500))
            bench.request("permit_join", "0")
            try body(bench)
        }
    }

    private func response(_ bench: TestBridge, _ request: String) -> JSON.Value? {
        bench.broker.objects("bridge/attic/response/\(request)").last
    }

    // MARK: rename

    @Test("A renamed device publishes and subscribes only under its new name, also after a restart")
    func rename() {
        let store = MemoryStore()
        withJoined(store) { bench in
            bench.link(Self.first)?.notify(SampleFamily.status, [5, 42])
            #expect(bench.broker.retained("sample/level") == "42")
            bench.request("rename", #"{"device":"sample","to":"hall/left","id":1}"#)
            #expect(response(bench, "rename")?["status"] == "ok")
            #expect(response(bench, "rename")?["before"] == "sample")
            #expect(
                bench.broker.retainedTopics.filter {
                    $0.hasPrefix("sample/") && !$0.hasPrefix("sample/000002/")
                } == [])
            #expect(bench.broker.retained("hall/left/level") == "42")
            #expect(bench.availability("hall/left") == "online")
            #expect(
                bench.broker.retainedObject("hall/left/features")?["level"]?["set"]?["topic"]
                    == "hall/left/level/set")
            let devices = bench.broker.retainedObject("bridge/attic/devices")?.array
            #expect(devices?.map { $0["name"] } == ["hall/left", "sample/000002"])
            bench.send("level", "60", device: "hall/left")
            #expect(bench.lastResult("hall/left") == "ok")
            bench.send("level", "60")
            #expect(bench.results() == [])
            #expect(bench.client.filters.contains { $0.filter == "sample/+/set" } == false)
            #expect(store.state.devices.map(\.name) == ["hall/left", "sample/000002"])
            #expect(store.state.retainedTopics.contains("hall/left/level"))
            #expect(store.state.retainedTopics.contains("sample/level") == false)
        }
        withLab { lab in
            let bench = lab.bridge(.empty(), store: store)
            bench.connectBroker()
            bench.hear(Self.first)
            #expect(bench.availability("hall/left") == "online")
        }
    }

    @Test("An offline device can be renamed")
    func renameAway() {
        withJoined { bench in
            bench.link(Self.first)?.lose()
            bench.request("rename", #"{"device":"sample","to":"left"}"#)
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.connection("left")?["state"] == "searching")
            #expect(bench.connection() == nil)
        }
    }

    @Test(
        "An invalid, reserved or used name is refused, and nothing changes",
        arguments: [
            "sample/000002", "bridge/x", "all", "all/x", "hands", "hands/left", "homeassistant/x", "a//b",
            "sample/000002/level", "left/availability", "lèft", "left/set",
        ])
    func refusedNames(_ name: String) {
        withJoined(groups: [.init(name: "hands", members: ["sample"])]) { bench in
            bench.request("rename", #"{"device":"sample","to":"\#(name)"}"#)
            #expect(bench.lastResponse("rename") == "invalid_value")
            #expect(response(bench, "rename")?["message"]?.string?.contains(name) == true)
            #expect(bench.availability() == "online")
            bench.send("level", "60")
            #expect(bench.lastResult() == "ok")
        }
    }

    @Test("A device of the configuration cannot be renamed, and requests about unknown devices are refused")
    func refusedDevices() {
        withBridge { bench in
            bench.goOnline()
            bench.request("rename", #"{"device":"sample","to":"left"}"#)
            #expect(bench.lastResponse("rename") == "not_supported")
            for request in ["connect", "disconnect", "pair", "forget"] {
                bench.request(request, "lamp")
                #expect(bench.lastResponse(request) == "unknown_device")
            }
        }
    }

    // MARK: connect and disconnect

    @Test("disconnect disconnects cleanly until connect, also across a restart")
    func hold() {
        let store = MemoryStore()
        withLab { lab in
            let bench = lab.bridge(.oneDevice(), store: store)
            bench.goOnline()
            bench.request("disconnect", "sample")
            #expect(bench.control.last == [0xFF])
            #expect(bench.link()?.disconnects == 1)
            #expect(bench.lastResponse("disconnect") == "ok")
            #expect(bench.availability() == "offline")
            #expect(bench.connection()?["state"] == "disconnected")
            #expect(bench.connection()?["reason"] == "disconnected by request")
            #expect(bench.radio.discoveries == 0)
            bench.hear()
            #expect(bench.radio.links(BridgeSettings.sample).count == 1)
            bench.request("disconnect", "sample")
            #expect(bench.lastResponse("disconnect") == "ok")
            bench.send("level", "60")
            #expect(bench.lastResult() == "device_offline")
            bench.shutDown()
            bench.time.advance(by: .seconds(2))
        }
        withLab { lab in
            let bench = lab.bridge(.oneDevice(), store: store)
            bench.goOnline()
            #expect(bench.radio.requests == [])
            #expect(bench.connection()?["reason"] == "disconnected by request")
            bench.request("connect", #"{"device":"sample","id":5}"#)
            #expect(bench.availability() == "online")
            #expect(response(bench, "connect")?["state"] == "connected")
            #expect(response(bench, "connect")?["id"] == 5)
            #expect(store.state.devices.first?.isUserDisconnected == false)
        }
    }

    @Test("A device that does not finish its last writes is disconnected anyway")
    func stubborn() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            bench.request("disconnect", "sample")
            #expect(bench.lastResponse("disconnect") == nil)
            bench.time.advance(by: .milliseconds(1500))
            #expect(bench.lastResponse("disconnect") == "ok")
            #expect(bench.link()?.disconnects == 1)
        }
    }

    @Test("A connection that is made after disconnect is closed")
    func lateLink() {
        withBridge { bench in
            bench.connectBroker()
            bench.radio.setHolding(true)
            bench.hear()
            bench.request("disconnect", "sample")
            #expect(bench.lastResponse("disconnect") == nil)
            bench.radio.completeNext()
            #expect(bench.lastResponse("disconnect") == "ok")
            #expect(bench.link()?.disconnects == 1)
            #expect(bench.availability() == "offline")
        }
    }

    @Test("connect does not wait for the next attempt, and times out after 30 s")
    func connect() {
        withBridge { bench in
            bench.connectBroker()
            bench.radio.failConnecting(
                BridgeSettings.sample, RadioError(.unreachable, "no answer"),
                RadioError(.unreachable, "no answer"), RadioError(.unreachable, "no answer"))
            for _ in 0..<3 {
                bench.hear()
                bench.time.advance(by: .seconds(1))
            }
            bench.time.advance(by: .seconds(30))
            bench.request("connect", "sample")
            bench.hear()
            #expect(bench.lastResponse("connect") == "ok")
            bench.link()?.lose()
            bench.request("connect", "sample")
            bench.time.advance(by: .seconds(30))
            #expect(bench.lastResponse("connect") == "timeout")
            #expect(response(bench, "connect")?["message"]?.string?.contains("searching") == true)
        }
    }

    // MARK: pair

    @Test("pair bonds with the device, or answers with the reason of the failure")
    func pair() {
        withBridge { bench in
            bench.goOnline()
            bench.request("pair", "sample")
            #expect(bench.radio.requests.last == .pair(BridgeSettings.sample))
            #expect(bench.lastResponse("pair") == "ok")
            bench.radio.failPairing(BridgeSettings.sample, RadioError(.pairingFailed, "rejected"))
            bench.request("pair", "sample")
            #expect(bench.lastResponse("pair") == "device_error")
            bench.radio.failPairing(BridgeSettings.sample, RadioError(.unknownDevice, "not heard"))
            bench.request("pair", "sample")
            #expect(bench.lastResponse("pair") == "device_offline")
            bench.request("disconnect", "sample")
            bench.request("pair", "sample")
            #expect(bench.lastResponse("pair") == "wrong_mode")
        }
    }
}
