import Bluetooth
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("State of the host's Bluetooth")
struct RadioStatusTests {
    private var ready: RadioStatus {
        var radio = RadioStatus()
        _ = radio.handle(.serviceReady)
        _ = radio.handle(.adapterReady("hci0"))
        return radio
    }

    @Test("No device can be connected before the service and an adapter are ready")
    func start() {
        var radio = RadioStatus()
        #expect(radio.state.reason == "the Bluetooth service was not found yet")
        #expect(radio.handle(.serviceLost(reason: "no bus")) == RadioStatus.Outcome())
        #expect(radio.state.reason == "no bus")
        #expect(radio.handle(.serviceReady) == RadioStatus.Outcome())
        #expect(radio.state.reason == "no Bluetooth adapter is ready")
        #expect(radio.handle(.adapterReady("hci0")) == RadioStatus.Outcome())
        #expect(radio.state.isReady)
        #expect(radio.handle(.adapterReady("hci0")) == nil)
        #expect(radio.readyAdapters == ["hci0"])
    }

    @Test("The loss and the return of a ready adapter are reported")
    func adapter() {
        var radio = ready
        var outcome = radio.handle(.adapterLost("hci0"))
        #expect(outcome == RadioStatus.Outcome(event: "adapter_lost", details: ["adapter": "hci0"]))
        outcome = radio.handle(.adapterLost("hci0"))
        #expect(outcome == nil)
        #expect(!radio.state.isReady)
        outcome = radio.handle(.adapterReady("hci0"))
        #expect(outcome == RadioStatus.Outcome(event: "adapter_back", details: ["adapter": "hci0"]))
    }

    @Test("Proxies are usable without the Bluetooth service, and each reason of a proxy is reported")
    func proxies() {
        var radio = ready
        _ = radio.handle(.adapterReady("proxy/kitchen"))
        let outcome = radio.handle(.serviceLost(reason: "bluetoothd was stopped"))
        #expect(
            outcome
                == RadioStatus.Outcome(event: "bluez_lost", details: ["reason": "bluetoothd was stopped"]))
        #expect(radio.readyAdapters == ["proxy/kitchen"])
        #expect(radio.state.isReady)
        radio.description.adapters = [
            .init(name: "proxy/attic", address: nil, isPowered: false, problem: "the key is wrong")
        ]
        #expect(radio.problems == ["bluetoothd was stopped", "proxy/attic: the key is wrong"])
        for _ in 0..<2 {
            let outcome = radio.handle(.adapterLost("proxy/attic"))
            #expect(outcome == RadioStatus.Outcome(), "the reason may differ")
        }
        _ = radio.handle(.adapterLost("proxy/kitchen"))
        #expect(radio.state.reason == "bluetoothd was stopped")
        #expect(radio.problems == [])
    }

    @Test("On a host without Bluetooth, the reason is the problem of its proxies")
    func onlyProxies() {
        var radio = RadioStatus()
        #expect(radio.state.code == .bluetoothUnavailable)
        radio.description.adapters = [
            .init(name: "proxy/attic", address: nil, isPowered: false, problem: "the key is wrong")
        ]
        #expect(radio.state.reason == "proxy/attic: the key is wrong")
        #expect(radio.state.code == .noAdapter)
        #expect(radio.state.advice.contains("doctor"))
        _ = radio.handle(.adapterReady("proxy/attic"))
        #expect(radio.state.isReady)
    }

    @Test("A missing adapter of the configuration is reported as the reason, unless another adapter is ready")
    func absent() {
        var radio = RadioStatus()
        _ = radio.handle(.serviceReady)
        var outcome = radio.handle(.adaptersAbsent(["00:1A:7D:DA:71:13", "hci3"]))
        #expect(outcome == RadioStatus.Outcome())
        outcome = radio.handle(.adaptersAbsent(["00:1A:7D:DA:71:13", "hci3"]))
        #expect(outcome == nil)
        #expect(
            radio.state.reason
                == "bluetooth.adapters names 00:1A:7D:DA:71:13, hci3: no such adapter exists")
        _ = radio.handle(.adaptersAbsent(["hci3"]))
        _ = radio.handle(.adapterReady("hci0"))
        #expect(radio.state.isReady && radio.absence?.contains("hci3") == true)
        _ = radio.handle(.adaptersAbsent([]))
        #expect(radio.absence == nil)
    }

    @Test(
        "An adapter that another program takes has its links closed, and a new holder causes no further event"
    )
    func held() {
        var radio = ready
        var outcome = radio.handle(.adapterHeld("hci0", by: "the bridge cellar"))
        #expect(outcome?.event == "adapter_lost" && outcome?.heldAdapter == "hci0")
        #expect(outcome?.details["reason"] == "the bridge cellar uses the adapter now")
        #expect(radio.state.obstacle == .held)
        #expect(
            radio.state.reason
                == "the bridge cellar uses the adapter hci0: this bridge waits until it is free")
        #expect(radio.holder(of: "hci0") == "the bridge cellar")
        outcome = radio.handle(.adapterHeld("hci0", by: "the bridge cellar"))
        #expect(outcome == nil)
        outcome = radio.handle(.adapterHeld("hci0", by: "another one"))
        #expect(outcome == RadioStatus.Outcome())
        outcome = radio.handle(.adapterReady("hci0"))
        #expect(outcome?.event == "adapter_back")
        #expect(radio.holder(of: "hci0") == nil)
    }

    @Test("An adapter that was never ready is neither lost nor back", arguments: [true, false])
    func neverReady(isLostBetween: Bool) {
        var radio = RadioStatus()
        _ = radio.handle(.serviceReady)
        #expect(radio.handle(.adapterHeld("hci1", by: "bluetoothctl")) == RadioStatus.Outcome())
        if isLostBetween { #expect(radio.handle(.adapterLost("hci1")) == RadioStatus.Outcome()) }
        #expect(radio.handle(.adapterReady("hci1")) == RadioStatus.Outcome())
    }

    @Test("All adapters are lost with the service, and the return of the ready ones is reported")
    func service() {
        var radio = ready
        _ = radio.handle(.adapterHeld("hci1", by: "bluetoothctl"))
        var outcome = radio.handle(.serviceLost(reason: "it has crashed"))
        #expect(outcome == RadioStatus.Outcome(event: "bluez_lost", details: ["reason": "it has crashed"]))
        outcome = radio.handle(.serviceLost(reason: "it is gone"))
        #expect(outcome == RadioStatus.Outcome())
        #expect(radio.state.reason == "it is gone" && radio.readyAdapters.isEmpty)
        #expect(radio.holder(of: "hci1") == nil)
        outcome = radio.handle(.serviceReady)
        #expect(outcome == RadioStatus.Outcome(event: "bluez_back"))
        outcome = radio.handle(.adapterReady("hci0"))
        #expect(outcome?.event == "adapter_back")
        outcome = radio.handle(.adapterReady("hci1"))
        #expect(outcome == RadioStatus.Outcome())
    }
}
