import Bluetooth
import BridgeContract
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("Devices that only advertise")
struct BeaconTests {
    private func withBeacon(_ body: (TestBridge) -> Void) {
        withLab { lab in
            let bench = lab.bridge(.oneDevice(), families: [BeaconFamily()])
            bench.connectBroker()
            body(bench)
        }
    }

    @Test("The device is online by its advertisements, is never connected, and discovery continues")
    func life() {
        withBeacon { bench in
            #expect(bench.availability() == "offline" && bench.radio.discoveries == 1)
            advertise(40, to: bench)
            #expect(bench.availability() == "online" && bench.broker.retained("sample/level") == "40")
            #expect(bench.connection()?["state"] == "connected")
            advertise(41, to: bench)
            #expect(bench.broker.retained("sample/level") == "41")
            #expect(bench.radio.requests.isEmpty)
            #expect(bench.radio.discoveries == 1)
        }
    }

    @Test(
        "Only changed data reaches the state machine, and the same data once the host has forgotten the device"
    )
    func changes() {
        withBeacon { bench in
            advertise(40, to: bench)
            let count = { bench.broker.texts("sample/news").count }
            #expect(count() == 1)
            advertise(40, to: bench, rssi: -50)
            advertise(40, to: bench, more: [0x180F: [1]])
            #expect(count() == 1)
            advertise(41, to: bench)
            #expect(count() == 2)
            bench.time.advance(by: .seconds(60))
            advertise(41, to: bench)
            #expect(count() == 2)
            bench.radio.tell(.forgotten(BridgeSettings.sample))
            advertise(41, to: bench)
            #expect(count() == 3)
        }
    }

    @Test("The radio learns which advertised data the families use, and by which they recognize devices")
    func usedData() {
        withBeacon { bench in
            #expect(bench.radio.usedServices == [BeaconFamily.service, 0xFEAA])
            #expect(bench.radio.usedCompanies == [0x0499, 0x004C])
        }
    }

    @Test("A device that is silent for too long is offline until it advertises again")
    func silence() {
        withBeacon { bench in
            advertise(40, to: bench)
            bench.time.advance(by: .seconds(590))
            advertise(40, to: bench, rssi: -50)
            bench.time.advance(by: .seconds(590))
            #expect(bench.availability() == "online")
            bench.time.advance(by: .seconds(20))
            #expect(bench.availability() == "offline")
            #expect(bench.connection()?["reason"] == "no advertisement for 600 s")
            advertise(40, to: bench)
            #expect(bench.availability() == "online")
        }
    }

    @Test("A device without silence stays online")
    func patient() {
        withLab { lab in
            let bench = lab.bridge(
                .oneDevice(), families: [BeaconFamily(advertising: Advertising(silence: nil))])
            bench.connectBroker()
            advertise(40, to: bench)
            bench.time.advance(by: .seconds(10_000))
            #expect(bench.availability() == "online")
        }
    }

    @Test("A device whose data cannot be used reports why, and is not online")
    func unusable() {
        withBeacon { bench in
            advertise(255, to: bench)
            #expect(bench.availability() == "offline")
            #expect(bench.connection()?["reason"] == "the key is missing")
            bench.time.advance(by: .seconds(60))
            advertise(40, to: bench)
            #expect(bench.availability() == "online")
        }
    }

    @Test("Data from before the device was used causes no event")
    func old() {
        withBeacon { bench in
            bench.request("disconnect", "sample")
            advertise(40, to: bench)
            bench.time.advance(by: .seconds(20))
            bench.request("connect", "sample")
            advertise(40, to: bench, rssi: -50)
            #expect(bench.broker.retained("sample/level") == "40")
            #expect(bench.broker.texts("sample/news").isEmpty)
            advertise(41, to: bench)
            #expect(bench.broker.texts("sample/news") == ["41"])
        }
    }

    @Test("Devices that only advertise have their own limit")
    func limit() {
        var settings = BridgeSettings.empty()
        (settings.maxDevices, settings.maxAdvertisedDevices) = (1, 2)
        let device = { BridgeState.Device(address: $0, family: "sample", name: "sample/\($0.number & 0xF)") }
        let addresses: [Address] = ["C0:FF:EE:00:00:01", "C0:FF:EE:00:00:02"]
        withLab { lab in
            let store = MemoryStore(BridgeState(devices: addresses.prefix(1).map(device)))
            let bench = lab.bridge(settings, families: [BeaconFamily()], store: store)
            bench.connectBroker()
            bench.request("permit_join", #"{"families":["sample"],"max":9}"#)
            #expect(bench.broker.objects("bridge/attic/response/permit_join").last?["max"] == 1)
        }
        withLab { lab in
            let store = MemoryStore(BridgeState(devices: addresses.map(device)))
            let bench = lab.bridge(settings, families: [BeaconFamily()], store: store)
            bench.connectBroker()
            bench.request("permit_join", #"{"families":["sample"]}"#)
            #expect(
                bench.broker.objects("bridge/attic/response/permit_join").last?["message"]
                    == "2 devices that only advertise have joined, and bluetooth.max_advertised_devices is 2: forget some, or raise it"
            )
        }
    }

    @Test("The device can be disconnected and connected by request")
    func requests() {
        withBeacon { bench in
            advertise(40, to: bench)
            bench.request("disconnect", "sample")
            #expect(bench.lastResponse("disconnect") == "ok")
            #expect(bench.availability() == "offline")
            advertise(41, to: bench)
            #expect(bench.availability() == "offline" && bench.broker.retained("sample/level") == "40")
            bench.request("connect", "sample")
            advertise(42, to: bench)
            #expect(bench.lastResponse("connect") == "ok")
            #expect(bench.availability() == "online" && bench.broker.retained("sample/level") == "42")
        }
    }

    @Test("Without an adapter the device is offline")
    func adapter() {
        withBeacon { bench in
            advertise(40, to: bench)
            bench.radio.tell(.adapterLost("hci0"))
            #expect(bench.availability() == "offline")
            bench.radio.tell(.adapterReady("hci0"))
            advertise(40, to: bench)
            #expect(bench.availability() == "online")
        }
    }
}
