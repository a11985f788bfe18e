import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Logging
import Testing

@Suite("Requests about the bridge, and topics that are cleared after a restart")
struct BridgeRequestTests {
    private static let first: Address = "AA:BB:CC:00:00:01"

    private func response(_ bench: TestBridge, _ request: String) -> JSON.Value? {
        bench.broker.objects("bridge/attic/response/\(request)").last
    }

    @Test("log_level changes the level while the bridge runs, and refuses an unknown level")
    func logLevel() {
        withBridge { bench in
            bench.goOnline()
            bench.request("log_level", "debug")
            #expect("\(bench.process.logLevel)" == "debug")
            #expect(response(bench, "log_level")?["before"] == "info")
            bench.request("log_level", "loud")
            #expect(bench.lastResponse("log_level") == "invalid_value")
            #expect("\(bench.process.logLevel)" == "debug")
        }
    }

    @Test("log_level changes the level of a subsystem, and refuses an unknown subsystem")
    func logSubsystem() {
        withBridge { bench in
            bench.goOnline()
            bench.request("log_level", #"{"level":"trace","subsystem":"links"}"#)
            #expect(bench.process.logLevel(of: .links) == .trace && bench.process.logLevel == .info)
            #expect(response(bench, "log_level")?["before"] == "info")
            #expect(response(bench, "log_level")?["subsystem"] == "links")
            bench.request("log_level", #"{"level":"trace","subsystem":"nothing"}"#)
            #expect(bench.lastResponse("log_level") == "invalid_value")
        }
    }

    @Test("health_check reports that the bridge is healthy, or its problems")
    func health() {
        withBridge { bench in
            bench.goOnline()
            bench.request("health_check", "")
            #expect(response(bench, "health_check")?["healthy"] == true)
            #expect(response(bench, "health_check")?["online"] == 1)
            #expect(response(bench, "health_check")?["adapters"] == ["hci0"])
            bench.radio.tell(.adaptersAbsent(["hci7"]))
            bench.request("health_check", "")
            #expect(
                response(bench, "health_check")?["problems"]
                    == ["bluetooth.adapters names hci7: no such adapter exists"])
            bench.radio.tell(.adaptersAbsent([]))
            bench.radio.tell(.adapterLost("hci0"))
            bench.client.refuse("sample/level", "not authorized")
            bench.request("health_check", "")
            #expect(response(bench, "health_check")?["healthy"] == false)
            let problems = response(bench, "health_check")?["problems"]?.array?.compactMap(\.string)
            #expect(
                problems == [
                    "no Bluetooth adapter is ready", "the broker refuses sample/level: not authorized",
                ])
        }
    }

    @Test("Every declared request is supported")
    func declared() {
        withLab { lab in
            let bench = lab.bridge(.empty())
            bench.connectBroker()
            for request in BridgeFeatures.requests([SampleFamily()]) {
                let example = request.command?.example ?? .null
                bench.request(request.name, example.string ?? example.description)
                if request.name == "scan" {
                    #expect(bench.lastResponse(request.name) == nil, "it is answered when its time is over")
                    bench.time.advance(by: .seconds(15))
                }
                #expect(
                    ["ok", "unknown_device"].contains(bench.lastResponse(request.name)), "\(request.name)")
            }
        }
    }

    @Test("Consecutive permissions do not accumulate scheduled calls")
    func sleepers() {
        withLab { lab in
            let bench = lab.bridge(.empty())
            bench.connectBroker()
            for _ in 0..<200 {
                bench.request("permit_join", "600")
                bench.time.advance(by: .milliseconds(10))
            }
            #expect(bench.time.callCount < 5)
            bench.request("permit_join", "30")
            bench.time.advance(by: .seconds(30))
            #expect(bench.broker.retainedObject("bridge/attic/info")?["permit_join"] == false)
        }
    }

    @Test("An announced keyboard joins when its address is confirmed")
    func confirmation() {
        var family = SampleFamily()
        family.requirements.isInputDevice = true
        withLab { lab in
            let bench = lab.bridge(.empty(), families: [family])
            bench.connectBroker()
            bench.request("permit_join", "60")
            bench.hear(Self.first)
            #expect(bench.events() == ["device_discovered"])
            let address = bench.broker.objects("bridge/attic/event").last?["address"]?.string ?? ""
            bench.request("permit_join", #"{"address":"\#(address)"}"#)
            #expect(bench.events() == ["device_discovered", "device_joined", "permit_join_ended"])
            #expect(bench.radio.requests.last == .connect(Self.first))
        }
    }

    @Test(
        "Topics that were cleared without a broker are cleared by the next bridge if this bridge dies first")
    func leftOvers() {
        withLab { lab in
            let store = MemoryStore()
            let first = lab.bridge(.empty(), store: store)
            first.connectBroker()
            first.request("permit_join", "60")
            first.hear(Self.first)
            first.time.advance(by: .milliseconds(500))
            #expect(lab.broker.retained("sample/availability") == "online")
            first.client.lose()
            first.cancel()

            // The device is gone from the state, and the second bridge stops before the broker is back.
            var state = store.state
            state = BridgeState(retainedTopics: state.retainedTopics)
            let emptied = MemoryStore(state)
            let second = lab.bridge(.empty(), store: emptied)
            #expect(emptied.state.retainedTopics.contains("sample/availability"))
            second.cancel()

            let third = lab.bridge(.empty(), store: emptied)
            third.connectBroker()
            #expect(lab.broker.retainedTopics.filter { $0.hasPrefix("sample/") } == [])
            #expect(emptied.state.retainedTopics.filter { $0.hasPrefix("sample/") } == [])
        }
    }
}
