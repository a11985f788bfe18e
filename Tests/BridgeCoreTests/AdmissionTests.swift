import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("Number of devices that a permission admits, and its end")
struct AdmissionTests {
    private static let addresses: [Address] = (1...9).map { Address(number: 0xAABB_CC00_0000 + $0) }
    private var first: Address { Self.addresses[0] }
    private var second: Address { Self.addresses[1] }
    private var third: Address { Self.addresses[2] }

    private func withEmpty(
        _ change: (inout BridgeSettings) -> Void = { _ in }, store: MemoryStore = MemoryStore(),
        adapter: String? = "hci0", _ body: (TestBridge) throws -> Void
    ) rethrows {
        var settings = BridgeSettings.empty()
        change(&settings)
        try withLab { lab in
            let bench = lab.bridge(settings, store: store, adapter: adapter)
            bench.connectBroker()
            try body(bench)
        }
    }

    private func event(_ bench: TestBridge, _ name: String) -> JSON.Value? {
        bench.broker.objects("bridge/attic/event").last { $0["event"] == .string(name) }
    }

    private func answer(_ bench: TestBridge) -> JSON.Value? {
        bench.broker.objects("bridge/attic/response/permit_join").last
    }

    @Test("A permission admits one device unless the request sets max, and its end event lists the devices")
    func one() {
        withEmpty { bench in
            bench.request("permit_join", "60")
            #expect(answer(bench)?["max"] == 1)
            #expect(
                bench.broker.retainedObject("bridge/attic/info")?["permit_join_until"]?.string?.isEmpty
                    == false)
            for address in Self.addresses { bench.hear(address) }
            bench.time.advance(by: .milliseconds(500))
            for address in Self.addresses { bench.hear(address) }
            bench.time.advance(by: .seconds(30))
            #expect(bench.store.state.devices.map(\.address) == [first])
            #expect(bench.events().count { $0 == "device_joined" } == 1)
            let end = event(bench, "permit_join_ended")
            #expect(end?["reason"] == "admitted")
            #expect(
                end?["devices"] == [
                    ["device": "sample", "family": "sample", "address": .string(first.description)]
                ])
            let info = bench.broker.retainedObject("bridge/attic/info")
            #expect(info?["permit_join"] == false && info?["permit_join_until"] == .null)
            #expect(bench.radio.discoveries == 0)
        }
        withEmpty { bench in
            bench.request("permit_join", #"{"max":2}"#)
            #expect(answer(bench)?["max"] == 2)
            for address in Self.addresses { bench.hear(address) }
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.store.state.devices.map(\.address) == [first, second])
            #expect(event(bench, "permit_join_ended")?["devices"]?.array?.count == 2)
        }
    }

    @Test("With 500 devices in a window of 5 s, one device joins and the others leave nothing behind")
    func flood() {
        withEmpty { bench in
            bench.request("permit_join", "5")
            for number in 0..<500 { bench.hear(Address(number: 0xAABB_CC00_0000 + UInt64(number))) }
            bench.time.advance(by: .seconds(6))
            #expect(bench.store.state.devices.count == 1)
            #expect(
                bench.broker.retainedTopics.filter { $0.hasSuffix("/connection") } == ["sample/connection"])
        }
    }

    @Test("A device that fails to connect does not use up the window, and may try again after others")
    func failing() {
        withEmpty { bench in
            bench.radio.failConnecting(
                first, RadioError(.unreachable, "no"), RadioError(.unreachable, "no"),
                RadioError(.unreachable, "no"), RadioError(.unreachable, "no"),
                RadioError(.unreachable, "no"), RadioError(.unreachable, "no"))
            bench.request("permit_join", "120")
            bench.hear(first)
            bench.hear(second)
            for _ in 0..<12 {
                bench.time.advance(by: .seconds(1))
                bench.hear(first)
                bench.hear(second)
            }
            bench.time.advance(by: .seconds(1))
            #expect(bench.store.state.devices.map(\.address) == [second])
            let left = event(bench, "device_left")
            #expect(left?["address"] == .string(first.description))
            #expect(left?["reason"] == "it was not online in time, and other devices wait")
            #expect(event(bench, "permit_join_ended")?["reason"] == "admitted")
            #expect(bench.availability() == "online")
            // No bond was created, so none is removed.
            #expect(!bench.radio.requests.contains(.forget(first)))
        }
    }

    @Test("When the time is over, devices that are not online are removed together with new bonds")
    func late() {
        var family = SampleFamily()
        family.requirements.bonding = .onDemand
        withLab { lab in
            let bench = lab.bridge(.empty(), families: [family])
            bench.connectBroker()
            bench.radio.failConnecting(
                first, RadioError(.unreachable, "no"), RadioError(.unreachable, "no"),
                RadioError(.unreachable, "no"))
            bench.request("permit_join", "30")
            bench.hear(first)
            #expect(bench.radio.requests == [.pair(first), .connect(first)])
            bench.time.advance(by: .seconds(31))
            #expect(event(bench, "permit_join_ended")?["reason"] == "time")
            #expect(event(bench, "permit_join_ended")?["devices"] == [])
            #expect(event(bench, "device_left")?["reason"] == "the time to join is over")
            #expect(bench.radio.requests.last == .forget(first))
            #expect(bench.store.state.devices == [])
            #expect(bench.broker.retainedTopics.filter { $0.hasPrefix("sample/") } == [])
        }
    }

    @Test("On shutdown, the bond of a device that has not been online is removed")
    func shutdown() {
        var family = SampleFamily()
        family.requirements.bonding = .onDemand
        withLab { lab in
            let bench = lab.bridge(.empty(), families: [family])
            bench.connectBroker()
            bench.radio.failConnecting(first, RadioError(.unreachable, "no"))
            bench.request("permit_join", "30")
            bench.hear(first)
            bench.shutDown()
            bench.time.advance(by: .seconds(2))
            #expect(bench.radio.requests == [.pair(first), .connect(first), .forget(first)])
            #expect(bench.isOver)
        }
    }

    @Test("A device that is connecting when the permission ends may still join")
    func straggler() {
        withEmpty { bench in
            bench.radio.setHolding(true)
            bench.request("permit_join", "30")
            bench.hear(first)
            bench.time.advance(by: .seconds(31))
            #expect(event(bench, "permit_join_ended")?["reason"] == "time")
            bench.radio.completeNext()
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.availability() == "online")
            #expect(bench.store.state.devices.map(\.address) == [first])
        }
    }

    @Test("A permission ends by request or by its time, and its answer warns if no adapter is ready")
    func reasons() {
        withEmpty { bench in
            bench.request("permit_join", "60")
            #expect(answer(bench)?["warning"] == nil)
            bench.request("permit_join", "0")
            #expect(event(bench, "permit_join_ended")?["reason"] == "ended")
            bench.request("permit_join", "0")
            #expect(bench.events().count { $0 == "permit_join_ended" } == 1)
            bench.request("permit_join", "60")
            bench.time.advance(by: .seconds(60))
            #expect(event(bench, "permit_join_ended")?["reason"] == "time")
        }
        withEmpty(adapter: nil) { bench in
            bench.request("permit_join", "60")
            #expect(answer(bench)?["status"] == "ok")
            #expect(
                answer(bench)?["warning"] == "no device can join yet: no Bluetooth adapter is ready")
            bench.time.advance(by: .seconds(60))
            #expect(event(bench, "permit_join_ended")?["reason"] == "no_adapter")
        }
    }

    @Test(
        "bluetooth.max_devices limits joined devices, keeps existing devices, and is reported for rejected devices"
    )
    func limit() {
        let store = MemoryStore(
            BridgeState(
                devices: Self.addresses.prefix(3).map {
                    BridgeState.Device(address: $0, family: "sample", name: "sample/\($0.number & 0xF)")
                }))
        withEmpty({ $0.maxDevices = 2 }, store: store) { bench in
            #expect(bench.connection("sample/3")?["state"] == "searching")
            bench.request("permit_join", "60")
            #expect(answer(bench)?["code"] == "not_supported")
            #expect(
                answer(bench)?["message"]
                    == "3 devices have joined, and bluetooth.max_devices is 2: forget some, or raise it")
            bench.hear(Self.addresses[4])
            #expect(
                event(bench, "device_discovered")?["reason"]?.string?.contains("bluetooth.max_devices is 2")
                    == true)
        }
        // Devices of the configuration do not count, and a permission admits at most as many devices as there is room
        // for.
        withEmpty(
            { settings in
                settings.maxDevices = 4
                settings.devices = [.init(name: "own", family: "sample", address: first)]
            }, store: store
        ) { bench in
            bench.request("permit_join", #"{"max":9}"#)
            #expect(answer(bench)?["max"] == 2)
        }
        withEmpty({ settings in
            settings.maxDevices = 1
            settings.join = .always
        }) { bench in
            for address in Self.addresses { bench.hear(address) }
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.store.state.devices.count == 9)
        }
    }

    @Test("A reload keeps a device that is joining")
    func reload() {
        withEmpty { bench in
            bench.radio.setHolding(true)
            bench.request("permit_join", "60")
            bench.hear(first)
            bench.request("reload", "")
            bench.radio.completeNext()
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.availability() == "online")
            #expect(bench.store.state.devices.map(\.address) == [first])
        }
    }
}
