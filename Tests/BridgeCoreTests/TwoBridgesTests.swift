import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@Suite("Two bridges on one broker")
struct TwoBridgesTests {
    /// Runs a test with two bridges that know the same device.
    private func withBridges(_ body: (_ attic: TestBridge, _ cellar: TestBridge) throws -> Void) rethrows {
        try withLab { lab in
            try body(lab.bridge(.oneDevice("attic")), lab.bridge(.oneDevice("cellar")))
        }
    }

    /// Returns the names of the clients that published on a topic, in the order of their first message.
    private func speakers(_ bench: TestBridge, _ topic: String) -> [String] {
        var names: [String] = []
        for entry in bench.broker.log where entry.message.topic == topic && !names.contains(entry.client) {
            names.append(entry.client)
        }
        return names
    }

    @Test("While one bridge holds the device, the other is on standby, and only the holder obeys")
    func silent() {
        withBridges { attic, cellar in
            attic.goOnline()
            cellar.connectBroker()
            #expect(speakers(attic, "sample/connection") == ["attic"])
            attic.send("level", "60")
            #expect(attic.results().count == 1)
            #expect(attic.control.last == [5, 60])
            attic.send("nothing", "")
            #expect(attic.results().count == 2)
        }
    }

    @Test("The last holder owns the device until another bridge connects to it")
    func takeOver() {
        withBridges { attic, cellar in
            attic.goOnline()
            cellar.connectBroker()
            attic.link()?.lose("out of reach")
            #expect(attic.connection()?["bridge"] == "attic")
            #expect(attic.connection()?["state"] == "searching")

            cellar.hear()
            cellar.time.advance(by: .milliseconds(250))
            #expect(attic.connection()?["bridge"] == "cellar")
            #expect(attic.availability() == "online")
            attic.broker.clearLog()
            attic.radio.tell(.adapterLost("hci0"))
            #expect(attic.broker.texts("sample/connection") == [])
            attic.send("level", "60")
            #expect(attic.results().count == 1)
            #expect(cellar.control.last == [5, 60])
        }
    }

    @Test("A bridge on standby stays on standby after a reconnect of the broker")
    func silentAfterReconnect() {
        withBridges { attic, cellar in
            attic.goOnline()
            cellar.connectBroker()
            attic.link()?.lose()
            cellar.hear()
            cellar.time.advance(by: .milliseconds(250))
            attic.broker.clearLog()
            for client in [attic.client, cellar.client] { client.lose() }
            attic.client.connect()
            cellar.client.connect()
            attic.time.advance(by: .seconds(1))
            #expect(speakers(attic, "sample/connection") == ["cellar"])
            #expect(attic.connection()?["bridge"] == "cellar")
        }
    }

    @Test("Two bridges that start at the same time agree on the owner, and publish nothing more about it")
    func bothStart() {
        withBridges { attic, cellar in
            attic.client.connect()
            cellar.client.connect()
            attic.time.advance(by: .milliseconds(500))
            attic.send("level", "60")
            #expect(attic.results().count == 1)
            #expect(attic.connection()?["bridge"] == "attic")
            attic.broker.clearLog()
            attic.time.advance(by: .seconds(10))
            #expect(attic.broker.texts("sample/connection") == [])
        }
    }

    @Test("A state that one bridge withdraws is not cleared for the other bridge")
    func withdrawal() {
        withBridges { attic, cellar in
            attic.radio.setUpLinks { $0.set(SampleFamily.status, [7]) }
            attic.goOnline()
            cellar.connectBroker()
            #expect(attic.broker.retained("sample/level") == "7")
            attic.link()?.fail(SampleFamily.control, OperationError(.timeout, "no answer"))
            cellar.radio.setUpLinks { $0.set(SampleFamily.status, [42]) }
            cellar.hear()
            cellar.time.advance(by: .milliseconds(250))
            attic.time.advance(by: .seconds(2))
            #expect(attic.link()?.disconnects == 1)
            #expect(attic.broker.retained("sample/level") == "42")
            #expect(attic.broker.retained("sample/level") == "42")
            #expect(attic.availability() == "online")
        }
    }

    /// Starts a bridge with a device that joined earlier.
    private func joined(_ lab: Lab, _ id: String, _ address: Address) -> TestBridge {
        let device = BridgeState.Device(address: address, family: "sample", name: "sample")
        let bench = lab.bridge(.empty(id), store: MemoryStore(BridgeState(devices: [device])))
        // Without a roster, only claims decide on names.
        bench.client.refuseSubscription("roster/+")
        return bench
    }

    private static let low: Address = "AA:BB:CC:00:00:01"
    private static let high: Address = "AA:BB:CC:00:00:02"

    private func settings(_ id: String, _ address: Address) -> BridgeSettings {
        var settings = BridgeSettings.oneDevice(id)
        settings.devices[0].address = address
        return settings
    }

    @Test("A device yields its name to another device and publishes everything under its new name")
    func nameGivenUp() {
        withLab { lab in
            let attic = joined(lab, "attic", Self.high)
            attic.connectBroker()
            attic.hear(Self.high)
            let cellar = joined(lab, "cellar", Self.low)
            cellar.radio.setUpLinks { $0.set(SampleFamily.status, [42]) }
            cellar.hear(Self.low)
            cellar.connectBroker()
            // Both devices are connected, so the lower address keeps the name.
            #expect(lab.broker.retainedObject("sample/connection")?["bridge"] == "cellar")
            #expect(lab.broker.retainedObject("sample/000002/connection")?["bridge"] == "attic")
            #expect(lab.broker.retained("sample/000002/availability") == "online")
            #expect(lab.broker.retained("sample/level") == "42")
            lab.broker.send("sample/000002/level/set", "5")
            #expect(attic.link(Self.high)?.writes(SampleFamily.control).last == [5, 5])
            lab.broker.send("sample/level/set", "6")
            #expect(cellar.link(Self.low)?.writes(SampleFamily.control).last == [5, 6])
            #expect(attic.store.state.devices.first?.name == "sample/000002")
            #expect(
                lab.broker.retainedObject("sample/000002/features")?["level"]?["set"]?["topic"]
                    == "sample/000002/level/set")
        }
    }

    @Test("An offline device keeps its state under its new name")
    func namedAnew() {
        withLab { lab in
            let attic = joined(lab, "attic", Self.low)
            attic.connectBroker()
            attic.hear(Self.low)
            let cellar = joined(lab, "cellar", Self.high)
            cellar.connectBroker()
            // Another bridge might have the device under that name.
            lab.time.advance(by: .seconds(1))
            #expect(lab.broker.retainedObject("sample/000002/connection")?["state"] == "searching")
            #expect(lab.broker.retainedObject("sample/connection")?["bridge"] == "attic")
            #expect(cellar.store.state.retainedTopics.isDisjoint(with: ["sample/connection", "sample/info"]))
            lab.broker.clearLog()
            lab.time.advance(by: .seconds(60))
            #expect(lab.broker.log.filter { $0.message.policy != .stream } == [])
        }
    }

    @Test("An invalid claim is ignored", arguments: ["", "x", "{}", #"{"bridge":"b"}"#, "[1]"])
    func nonsense(_ payload: String) {
        withLab { lab in
            let attic = lab.bridge(.oneDevice())
            attic.goOnline()
            lab.time.advance(by: .seconds(1))
            lab.broker.clearLog()
            lab.broker.send("sample/connection", payload)
            lab.broker.send("claim/aabbcca1b2c3", payload)
            #expect(lab.broker.log == [])
        }
    }
}

// Handovers, and devices that are left to the bridge that has them.
extension TwoBridgesTests {
    @Test("A connection attempt is canceled when another bridge has the device")
    func attemptGivenUp() {
        withBridges { attic, cellar in
            attic.connectBroker()
            cellar.connectBroker()
            cellar.radio.setHolding(true)
            cellar.hear()
            cellar.time.advance(by: .milliseconds(250))
            #expect(cellar.radio.requests == [.connect(BridgeSettings.sample)])
            #expect(cellar.radio.givenUp.isEmpty)
            attic.hear(rssi: -40)
            attic.time.advance(by: .milliseconds(3000))
            #expect(attic.connection()?["bridge"] == "attic")
            #expect(cellar.radio.givenUp == [BridgeSettings.sample])
        }
    }

    @Test("A bridge with a weaker signal leaves the device to an offering bridge, and connects if that fails")
    func choice() {
        withBridges { attic, cellar in
            attic.connectBroker()
            cellar.connectBroker()
            attic.radio.failConnecting(BridgeSettings.sample, RadioError(.unreachable, "out of reach"))
            attic.hear(rssi: -50)
            cellar.hear(rssi: -80)
            attic.time.advance(by: .milliseconds(120))
            let offer = attic.broker.objects("bridge/attic/offer").first
            #expect(offer?["address"] == .string(BridgeSettings.sample.description))
            #expect(offer?["score"] == -50)
            #expect(attic.radio.requests == [.connect(BridgeSettings.sample)])
            attic.time.advance(by: .seconds(2))
            #expect(cellar.radio.requests.isEmpty)
            attic.time.advance(by: .seconds(2))
            #expect(cellar.radio.requests == [.connect(BridgeSettings.sample)])
            #expect(attic.connection()?["bridge"] == "cellar")
        }
    }

    @Test("A roaming device is not reported as offline unless it stays disconnected")
    func noFlap() {
        withBridges { attic, cellar in
            attic.goOnline()
            cellar.connectBroker()
            attic.broker.clearLog()
            attic.link()?.lose()
            attic.time.advance(by: .milliseconds(1000))
            cellar.hear()
            cellar.time.advance(by: .milliseconds(250))
            #expect(attic.connection()?["bridge"] == "cellar")
            #expect(attic.broker.texts("sample/availability") == ["online"])
            cellar.link()?.lose()
            attic.time.advance(by: .milliseconds(1999))
            #expect(attic.availability() == "online")
            attic.time.advance(by: .milliseconds(1))
            #expect(attic.availability() == "offline")
        }
    }

    @Test("A bridge without access to claims makes none, and uses its devices")
    func refused() {
        withLab { lab in
            let bench = lab.bridge(.oneDevice())
            bench.client.refuseSubscription("claim/+")
            bench.goOnline()
            #expect(bench.availability() == "online")
            #expect(!lab.broker.retainedTopics.contains { $0.hasPrefix("claim/") })
            bench.send("level", "60")
            #expect(bench.control.last == [5, 60])
        }
    }

    @Test("A bridge without other bridges reports an offline device immediately")
    func aloneAway() {
        withLab { lab in
            let bench = lab.bridge(.oneDevice())
            bench.goOnline()
            bench.link()?.lose()
            #expect(bench.availability() == "offline")
        }
    }
}
