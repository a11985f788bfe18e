import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("Joining of devices that the host is connected to or bonded with")
struct KnownDeviceTests {
    private static let addresses: [Address] = (1...3).map { Address(number: 0xAABB_CC00_0000 + $0) }

    private static var keyboards: SampleFamily {
        var family = SampleFamily()
        (family.requirements.isInputDevice, family.naming) = (true, .each)
        return family
    }

    private static func device(_ address: Address, isConnected: Bool = true) -> Advertisement {
        Advertisement(
            address: address, name: "sample device", rssi: nil, isPaired: true, isConnected: isConnected)
    }

    /// Runs a test with a host that is connected to three bonded keyboards. The host has reported each of them once.
    private func withKeyboards(_ body: (TestBridge) throws -> Void) rethrows {
        try withLab { lab in
            lab.known = Self.addresses.map { Self.device($0) }
            let bench = lab.bridge(.empty(), families: [Self.keyboards])
            bench.connectBroker()
            try body(bench)
        }
    }

    private func joined(_ bench: TestBridge) -> [Address] {
        bench.time.advance(by: .milliseconds(500))
        return bench.store.state.devices.map(\.address).sorted()
    }

    @Test("They join one after another by address, each in its own permission")
    func byAddress() {
        withKeyboards { bench in
            for (count, address) in Self.addresses.enumerated() {
                bench.request("permit_join", #"{"address":"\#(address)"}"#)
                #expect(joined(bench) == Array(Self.addresses.prefix(count + 1)))
            }
        }
    }

    @Test("They join after a permission that admitted none, and after a loss of the adapter or the service")
    func afterLoss() {
        withKeyboards { bench in
            bench.request("permit_join", "10")
            bench.time.advance(by: .seconds(11))
            #expect(joined(bench) == [])
            bench.radio.tell(.adapterLost("hci0"))
            bench.radio.tell(.adapterReady("hci0"))
            bench.request("permit_join", #"{"address":"\#(Self.addresses[0])"}"#)
            #expect(joined(bench) == [Self.addresses[0]])
            bench.radio.tell(.serviceLost(reason: "bluetoothd has stopped"))
            bench.radio.tell(.serviceReady)
            bench.radio.tell(.adapterReady("hci0"))
            bench.request("permit_join", #"{"address":"\#(Self.addresses[1])"}"#)
            #expect(joined(bench) == Array(Self.addresses.prefix(2)))
        }
    }

    @Test("A device that stays connected to the host and never advertises is back after undrain")
    func undrained() {
        withKeyboards { bench in
            bench.request("permit_join", #"{"address":"\#(Self.addresses[0])"}"#)
            #expect(joined(bench) == [Self.addresses[0]])
            #expect(bench.availability("sample/000001") == "online")
            bench.request("drain", "")
            #expect(bench.availability("sample/000001") == "offline")
            bench.request("undrain", "")
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.availability("sample/000001") == "online")
        }
    }

    @Test(
        "A permission for a family of keyboards admits all devices of the family that the host is bonded with"
    )
    func byFamily() {
        withKeyboards { bench in
            let stranger: Address = "AA:BB:CC:00:00:09"
            bench.request("permit_join", #"{"seconds":60,"families":["sample"]}"#)
            bench.hear(stranger)
            #expect(joined(bench) == Self.addresses)
            #expect(bench.availability("sample/000001") == "online")
            let discovered = bench.broker.objects("bridge/attic/event").last {
                $0["event"] == "device_discovered"
            }
            #expect(discovered?["address"] == .string(stranger.description))
            #expect(discovered?["advice"]?.string?.contains("; permit its address: ") == true)
        }
    }

    @Test("A permission admits at most max keyboards, and none without naming their family")
    func limits() {
        withKeyboards { bench in
            bench.request("permit_join", #"{"families":["sample"],"max":2}"#)
            #expect(joined(bench) == Array(Self.addresses.prefix(2)))
            bench.request("permit_join", #"{"max":9}"#)
            #expect(joined(bench) == Array(Self.addresses.prefix(2)))
        }
    }

    @Test("A device that only has an input service joins only by its address, with or without a bond")
    func otherKeyboard() {
        withLab { lab in
            var device = Self.device(Self.addresses[0])
            device.services = UUID.inputServices
            lab.known = [device]
            let bench = lab.bridge(.empty())
            bench.connectBroker()
            bench.request("permit_join", #"{"families":["sample"]}"#)
            #expect(joined(bench) == [])
        }
    }

    @Test("A device that the host has removed does not join")
    func forgotten() {
        withLab { lab in
            let bench = lab.bridge(.empty(), families: [Self.keyboards])
            bench.connectBroker()
            bench.radio.hear(Self.device(Self.addresses[0]))
            bench.radio.tell(.forgotten(Self.addresses[0]))
            bench.request("permit_join", #"{"families":["sample"]}"#)
            #expect(joined(bench) == [])
        }
    }

    // MARK: Advice

    private func advice(_ bench: TestBridge, _ request: String) -> String? {
        bench.request("permit_join", request)
        bench.time.advance(by: .seconds(11))
        let end = bench.broker.objects("bridge/attic/event").last { $0["event"] == "permit_join_ended" }
        return end?["advice"]?.string
    }

    @Test("The advice for a device that did not join names the obstacle and contains commands to paste")
    func adviceOfEvents() {
        withLab { lab in
            var (settings, named) = (BridgeSettings.empty(), SampleFamily())
            settings.baseTopic = "my home/$x"
            (named.name, named.joinsUnnamed) = ("named", false)
            let bench = lab.bridge(settings, families: [named])
            func event(_ name: String) -> JSON.Value? {
                lab.broker.objects("my home/$x/bridge/attic/event").last { $0["event"] == .string(name) }
            }
            func ask(_ payload: String) {
                lab.broker.send("my home/$x/bridge/attic/request/permit_join", payload)
            }
            bench.connectBroker()
            let device: Address = "AA:BB:CC:00:00:01"
            let line = "mosquitto_pub -t 'my home/$x/bridge/attic/request/permit_join' -m \(device)"
            bench.hear(device, name: "named device")
            let advice = event("device_discovered")?["advice"]?.string
            #expect(advice == "permit its family or its address: \(line)")
            ask(device.description)
            #expect(lab.broker.objects("my home/$x/bridge/attic/response/permit_join").last?["max"] == 1)
            #expect(bench.radio.requests.contains(.connect(device)))
        }
        withLab { lab in
            var named = SampleFamily()
            (named.name, named.joinsUnnamed) = ("sam", false)
            let bench = lab.bridge(.empty(), families: [named, SampleFamily(), RollerFamily()])
            bench.connectBroker()
            let device: Address = "AA:BB:CC:00:00:01"
            bench.request(
                "permit_join", #"{"address":"AA:BB:CC:00:00:01","families":["roller"],"seconds":10}"#)
            bench.time.advance(by: .seconds(5))
            bench.hear(device)
            bench.time.advance(by: .seconds(6))
            let discovered = bench.broker.objects("bridge/attic/event").first {
                $0["event"] == "device_discovered"
            }
            #expect(discovered?["families"]?.array?.count == 2 && discovered?["advice"] == nil)
            let refused = end(bench)
            #expect(refused?.contains("does not allow ") == true, "\(refused ?? "")")
            bench.radio.failConnecting(
                device, RadioError(.unreachable, "no answer"), RadioError(.unreachable, "no answer"),
                RadioError(.unreachable, "no answer"), RadioError(.unreachable, "no answer"))
            bench.request("permit_join", #"{"seconds":2}"#)
            bench.hear(device)
            bench.time.advance(by: .seconds(3))
            let failed = end(bench)
            #expect(
                failed?.contains("no answer") == true && failed?.contains("topic") == false, "\(failed ?? "")"
            )
        }
    }

    private func end(_ bench: TestBridge) -> String? {
        bench.broker.objects("bridge/attic/event").last { $0["event"] == "permit_join_ended" }?["advice"]?
            .string
    }

    @Test("A device that is being forgotten is not reported as a known device of the host")
    func beingForgotten() {
        withLab { lab in
            let device = BridgeState.Device(
                address: BridgeSettings.sample, family: "sample", name: "sample")
            let bench = lab.bridge(.empty(), store: MemoryStore(BridgeState(devices: [device])))
            bench.goOnline()
            bench.radio.setHolding(true)
            bench.request("forget", "sample")
            bench.hear(isPaired: true)
            #expect(!bench.events().contains("device_discovered"))
            bench.radio.completeNext()
            bench.hear()
            #expect(bench.events().contains("device_discovered"))
        }
    }

    @Test("The end event of a permission without a device contains advice")
    func adviceAfter() {
        withKeyboards { bench in
            let named = advice(bench, #"{"seconds":10,"address":"AA:BB:CC:00:00:77"}"#)
            #expect(named?.hasPrefix("AA:BB:CC:00:00:77 was not in range") == true)
            #expect(named?.contains("bridge/attic/request/scan") == true)
            let plain = advice(bench, "10")
            #expect(
                plain?.hasPrefix("Sample device AA:BB:CC:00:00:0") == true
                    && plain?.contains("permit_join") == true)
            bench.request("permit_join", #"{"address":"AA:BB:CC:00:00:01"}"#)
            #expect(joined(bench).count == 1)
            let end = bench.broker.objects("bridge/attic/event").last { $0["event"] == "permit_join_ended" }
            #expect(end?["devices"]?.array?.count == 1 && end?["advice"] == nil)
            let again = advice(bench, #"{"seconds":10,"address":"AA:BB:CC:00:00:01"}"#)
            #expect(again == "this device is already known as sample/000001")
            bench.radio.tell(.adapterLost("hci0"))
            #expect(advice(bench, "10")?.contains("bluetoothctl show") == true)
        }
        withLab { lab in
            let bench = lab.bridge(.empty())
            bench.connectBroker()
            #expect(advice(bench, "10")?.hasPrefix("no device that may join was in range") == true)
        }
    }
}
