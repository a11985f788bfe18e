import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("Limited connections of an adapter, and bridges that the roster prefers")
struct SlotTests {
    private static let first: Address = "AA:BB:CC:00:00:01"
    private static let second: Address = "AA:BB:CC:00:00:02"
    private static let third: Address = "AA:BB:CC:00:00:03"
    private static let roller: Address = "AA:BB:CC:00:00:07"

    private static func settings(_ bridge: String = "attic", slots: Int? = nil) -> BridgeSettings {
        var settings = BridgeSettings(
            id: bridge,
            devices: [
                .init(name: "first", family: "sample", address: first),
                .init(name: "second", family: "sample", address: second),
                .init(name: "third", family: "sample", address: third),
                .init(name: "roller", family: "roller", address: roller),
            ], families: ["sample": ["greeting": ""], "roller": [:]], version: "1.0")
        settings.slots = slots
        return settings
    }

    private func withBridge(slots: Int?, _ body: (TestBridge) throws -> Void) rethrows {
        try withLab { lab in
            let bench = lab.bridge(Self.settings(slots: slots), families: [SampleFamily(), RollerFamily()])
            bench.connectBroker()
            try body(bench)
        }
    }

    private func noOffer(_ bench: TestBridge, _ name: String, bridge: String = "attic") -> JSON.Value? {
        bench.time.advance(by: .seconds(3))
        return bench.broker.retainedObject("bridge/\(bridge)/devices")?.array?.first {
            $0["name"]?.string == name
        }?[
            "no_offer"]
    }

    private func slots(_ bench: TestBridge) -> JSON.Value? {
        bench.time.advance(by: .seconds(3))
        return bench.broker.retainedObject("bridge/attic/info")?["slots"]
    }

    @Test(
        "A device waits for a free connection of the adapter, reports this, and gets the next free connection"
    )
    func waits() {
        withBridge(slots: 2) { bench in
            for address in [Self.first, Self.second, Self.third] { bench.hear(address) }
            #expect(bench.radio.links(Self.third).isEmpty)
            let connection = bench.broker.retainedObject("third/connection")
            #expect(connection?["state"] == "searching")
            #expect(connection?["reason_code"] == "no_slot")
            #expect(connection?["reason"] == "the adapter hci0 supports no more links")
            #expect(connection?["advice_code"] == "free_slot")
            #expect(noOffer(bench, "third") == "no_slot")
            #expect(noOffer(bench, "first") == .null)
            #expect(slots(bench) == 0)
            #expect(bench.radio.avoided.last == ["hci0"])

            bench.link(Self.first)?.lose()
            #expect(bench.radio.links(Self.third).count == 1)
            #expect(bench.broker.retainedObject("third/connection")?["state"] == "connected")
            #expect(noOffer(bench, "third") == .null)
            #expect(noOffer(bench, "first") != .null)
        }
    }

    @Test("Without a setting, the limit is the number of connections at the last refusal, for one minute")
    func shown() {
        withBridge(slots: nil) { bench in
            bench.hear(Self.first)
            #expect(slots(bench) == .null)
            bench.radio.failConnecting(Self.second, RadioError(.noSlot, "Connect: limit"))
            bench.hear(Self.second)
            #expect(bench.broker.retainedObject("second/connection")?["reason_code"] == "no_slot")
            #expect(slots(bench) == 0)
            bench.hear(Self.third)
            #expect(bench.radio.requests == [.connect(Self.first), .connect(Self.second)])
            bench.time.advance(by: .seconds(61))
            // Later advertisements lead to a new attempt.
            #expect(bench.radio.requests.count > 2)
            #expect(bench.radio.links(Self.second).count == 1)
        }
    }

    @Test("A higher limit in the configuration takes effect immediately")
    func reload() {
        withBridge(slots: 1) { bench in
            bench.hear(Self.first)
            bench.hear(Self.second)
            #expect(bench.radio.links(Self.second).isEmpty)
            bench.configuration.set(ReloadedConfiguration(settings: Self.settings(slots: 2)))
            bench.hangUp()
            bench.time.advance(by: .milliseconds(100))
            #expect(bench.radio.links(Self.second).count == 1)
        }
    }

    @Test("The connection of a robot is reserved for it after a loss")
    func robot() {
        withBridge(slots: 1) { bench in
            bench.hear(Self.roller, name: "roller")
            bench.hear(Self.first)
            bench.link(Self.roller)?.lose()
            bench.time.advance(by: .seconds(5))
            #expect(bench.radio.links(Self.first).isEmpty)
            bench.hear(Self.roller, name: "roller")
            #expect(bench.radio.links(Self.roller).count == 2)
            // A robot that is disconnected by request needs no connection.
            bench.broker.send("bridge/attic/request/disconnect", #"{"device":"roller"}"#)
            bench.time.advance(by: .seconds(2))
            #expect(bench.radio.links(Self.first).count == 1)
        }
    }

    @Test("The preferred bridge connects even with a weaker signal, and the other bridge reports the reason")
    func preferred() {
        withLab { lab in
            let benches = ["attic", "cellar"].map {
                lab.bridge(Self.settings($0), families: [SampleFamily(), RollerFamily()])
            }
            for bench in benches { bench.connectBroker() }
            lab.broker.send(
                "roster/aabbcc000001",
                #"{"v":1,"name":"first","family":"sample","preferred":["attic"],"by":"fleet","time":"2026-01-31T12:00:00.000Z"}"#,
                retain: true)
            lab.executor.drain()
            benches[1].hear(Self.first, rssi: -50)
            lab.time.advance(by: .milliseconds(500))
            #expect(benches[1].radio.requests.isEmpty)
            #expect(
                lab.broker.retainedObject("bridge/cellar/devices")?.array?.first?["no_offer"]
                    == "preferred_elsewhere")
            benches[0].hear(Self.first, rssi: -80)
            #expect(benches[0].radio.links(Self.first).count == 1)
            #expect(noOffer(benches[1], "first", bridge: "cellar") == "held_by_bridge")

            // Out of range of the preferred bridge, the device is connected to the other bridge.
            benches[0].link(Self.first)?.lose()
            benches[1].hear(Self.first, rssi: -50)
            lab.time.advance(by: .seconds(2))
            #expect(benches[1].radio.links(Self.first).isEmpty)
            lab.time.advance(by: .seconds(1))
            #expect(benches[1].radio.links(Self.first).count == 1)
        }
    }
}
