import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("Devices that may join")
struct JoiningTests {
    private static let first: Address = "AA:BB:CC:00:00:01"
    private static let second: Address = "AA:BB:CC:00:00:02"

    private func withEmpty(
        _ join: BridgeSettings.JoinPolicy, isInputDevice: Bool = false, store: MemoryStore = MemoryStore(),
        _ body: (TestBridge) throws -> Void
    ) rethrows {
        var family = SampleFamily()
        family.requirements.isInputDevice = isInputDevice
        try withLab { lab in
            let bench = lab.bridge(.empty(join: join), families: [family], store: store)
            bench.connectBroker()
            try body(bench)
        }
    }

    @Test("configured: no device joins, and permit_join is refused")
    func configured() {
        withEmpty(.configured) { bench in
            bench.request("permit_join", "60")
            #expect(bench.lastResponse("permit_join") == "not_supported")
            bench.hear(Self.first)
            #expect(bench.events().last == "device_discovered")
            #expect(bench.radio.requests == [])
        }
    }

    @Test("permit: a device joins during a permission, and is kept in the state")
    func permit() {
        withEmpty(.permit) { bench in
            bench.hear(Self.first)
            #expect(bench.radio.requests == [])
            #expect(bench.radio.discoveries == 0)
            bench.request("permit_join", "60")
            #expect(bench.lastResponse("permit_join") == "ok")
            #expect(bench.radio.discoveries == 1)
            #expect(bench.broker.retainedObject("bridge/attic/info")?["permit_join"] == true)
            bench.hear(Self.first)
            #expect(bench.events().suffix(2) == ["device_joined", "permit_join_ended"])
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.availability() == "online")
            let known: JSON.Value = ["name": "sample device", "manufacturer": "Sample", "firmware": "1"]
            #expect(
                bench.store.state.devices == [
                    BridgeState.Device(
                        address: Self.first, family: "sample", name: "sample", memory: ["known": known])
                ])
        }
    }

    @Test("A failed save is retried later, and the device works in the meantime")
    func fullDisk() {
        withEmpty(.always) { bench in
            bench.store.setFull(true)
            bench.hear(Self.first)
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.availability() == "online")
            #expect(bench.store.state.devices.isEmpty)
            let tries = bench.store.saveCount
            bench.time.advance(by: .seconds(11))
            #expect(bench.store.saveCount == tries + 2)
            bench.store.setFull(false)
            bench.time.advance(by: .seconds(5))
            #expect(bench.store.state.devices.map(\.address) == [Self.first])
            #expect(bench.store.state.retainedTopics.contains("sample/availability"))
            let kept = bench.store.saveCount
            bench.time.advance(by: .seconds(60))
            #expect(bench.store.saveCount == kept)
        }
    }

    @Test(
        "A permission ends by its time or by request, and the end of an old permission does not end a new one"
    )
    func permitEnds() {
        withEmpty(.permit) { bench in
            bench.request("permit_join", "30")
            bench.time.advance(by: .seconds(30))
            #expect(bench.broker.retainedObject("bridge/attic/info")?["permit_join"] == false)
            #expect(bench.radio.discoveries == 0)
            bench.hear(Self.first)
            #expect(bench.radio.requests == [])

            bench.request("permit_join", "30")
            bench.time.advance(by: .seconds(20))
            bench.request("permit_join", #"{"seconds":30}"#)
            bench.time.advance(by: .seconds(20))
            #expect(bench.broker.retainedObject("bridge/attic/info")?["permit_join"] == true)
            bench.request("permit_join", "0")
            #expect(bench.broker.retainedObject("bridge/attic/info")?["permit_join"] == false)
        }
    }

    @Test("A permission may be limited to families or to an address")
    func narrowPermit() {
        withEmpty(.permit) { bench in
            bench.request("permit_join", #"{"address":"AA:BB:CC:00:00:02"}"#)
            bench.hear(Self.first)
            bench.hear(Self.second)
            #expect(bench.store.state.devices.map(\.address) == [Self.second])
            bench.request("permit_join", #"{"families":["other"]}"#)
            #expect(bench.lastResponse("permit_join") == "invalid_value")
            bench.request("permit_join", #"{"address":"AA:BB:CC:00:00:0"}"#)
            #expect(bench.lastResponse("permit_join") == "out_of_range")
            bench.request("permit_join", #"{"address":"AA-BB-CC-00-00-01"}"#)
            #expect(bench.lastResponse("permit_join") == "invalid_value")
            let refusals = bench.broker.objects("bridge/attic/response/permit_join").suffix(2)
            for refusal in refusals {
                let message = refusal["message"]?.string ?? ""
                #expect(message.contains("such as AA:BB:CC:DD:EE:FF"), "an address to copy: \(message)")
            }
        }
    }

    @Test("always: every device of a known family joins immediately, and discovery always runs")
    func always() {
        withEmpty(.always) { bench in
            #expect(bench.radio.discoveries == 1)
            bench.hear(Self.first)
            bench.hear(Self.second, name: "something else")
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.availability() == "online")
            #expect(bench.radio.discoveries == 1)
            #expect(bench.store.state.devices.count == 1)
        }
    }

    @Test("A keyboard joins only by its address", arguments: [BridgeSettings.JoinPolicy.permit, .always])
    func inputDevice(_ join: BridgeSettings.JoinPolicy) {
        withEmpty(join, isInputDevice: true) { bench in
            bench.request("permit_join", "60")
            bench.hear(Self.first)
            #expect(bench.events().last == "device_discovered")
            #expect(bench.radio.requests == [])
            bench.request("permit_join", #"{"address":"AA:BB:CC:00:00:01"}"#)
            bench.hear(Self.first)
            #expect(bench.events().suffix(2) == ["device_joined", "permit_join_ended"])
        }
    }

    @Test("A device is announced once, until the next permission")
    func discoveredOnce() {
        withEmpty(.permit, isInputDevice: true) { bench in
            for _ in 0..<5 {
                bench.hear(Self.first)
                bench.radio.tell(.forgotten(Self.first))
            }
            #expect(bench.events().count { $0 == "device_discovered" } == 1)
            let event = bench.broker.objects("bridge/attic/event").last
            #expect(event?["address"] == "AA:BB:CC:00:00:01")
            #expect(event?["family"] == "sample")
            #expect(event?["rssi"] == -60)
            bench.request("permit_join", "60")
            bench.hear(Self.first)
            #expect(bench.events().count { $0 == "device_discovered" } == 2)
        }
    }

    @Test("A joining device is bonded if its family may need a bond, and joins without one if bonding fails")
    func bondOnJoining() {
        for fails in [false, true] {
            var family = SampleFamily()
            family.requirements.bonding = .onDemand
            withLab { lab in
                let bench = lab.bridge(.empty(), families: [family])
                bench.goOnline()
                bench.request("permit_join", "60")
                if fails { bench.radio.failPairing(Self.first, RadioError(.pairingFailed, "no")) }
                bench.hear(Self.first)
                #expect(bench.radio.requests == [.pair(Self.first), .connect(Self.first)])
            }
        }
    }

    @Test("A joined device has its name again after a restart")
    func restart() {
        let store = MemoryStore(
            BridgeState(devices: [
                BridgeState.Device(address: Self.first, family: "sample", name: "sample/left"),
                BridgeState.Device(
                    address: Self.second, family: "sample", name: "sample/right", isJoined: false),
                BridgeState.Device(address: "AA:BB:CC:00:00:03", family: "gone", name: "gone"),
            ]))
        withEmpty(.permit, store: store) { bench in
            #expect(bench.connection("sample/left")?["state"] == "searching")
            #expect(bench.connection("sample/right") == nil)
            bench.hear(Self.first)
            #expect(bench.availability("sample/left") == "online")
        }
        withEmpty(.configured, store: store) { bench in #expect(bench.connection("sample/left") == nil) }
    }
}
