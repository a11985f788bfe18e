import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("Draining")
struct DrainTests {
    private func info(_ bench: TestBridge) -> JSON.Value? { bench.broker.retainedObject("bridge/attic/info") }

    @Test("info contains the fleet protocol, the zone, and whether the bridge is draining")
    func says() {
        withLab { lab in
            var settings = BridgeSettings.oneDevice()
            settings.zone = "upstairs"
            let bench = lab.bridge(settings)
            bench.goOnline()
            #expect(info(bench)?["fleet_protocol"] == 1)
            #expect(info(bench)?["zone"] == "upstairs")
            #expect(info(bench)?["draining"] == false)
            bench.request("drain", "")
            #expect(info(bench)?["draining"] == true)
        }
    }

    @Test(
        "Draining disconnects devices cleanly, answers when they are disconnected, and allows no connections")
    func drains() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setSlowToClose(true)
            bench.request("drain", "")
            #expect(bench.control.last == [0xFF])
            #expect(bench.lastResponse("drain") == nil)
            bench.link()?.setSlowToClose(false)
            #expect(bench.lastResponse("drain") == "ok")
            #expect(bench.broker.objects("bridge/attic/response/drain").last?["devices"] == ["sample"])
            #expect(bench.availability() == "offline")
            #expect(bench.connection()?["state"] == "disconnected")
            #expect(bench.connection()?["reason"] == "the bridge is draining")
            #expect(bench.connection()?["reason_code"] == "draining")
            #expect(bench.connection()?["advice_code"] == "request_undrain")
            #expect(bench.radio.discoveries == 0)
            bench.hear()
            #expect(bench.radio.links(BridgeSettings.sample).count == 1)
            for (request, payload) in [("connect", "sample"), ("pair", "sample"), ("permit_join", "60")] {
                bench.request(request, payload)
                #expect(bench.lastResponse(request) == "not_supported")
            }

            bench.request("undrain", "")
            #expect(bench.lastResponse("undrain") == "ok")
            #expect(bench.connection()?["state"] == "searching")
            #expect(bench.connection()?["reason"] != "the bridge is draining")
            #expect(bench.radio.discoveries == 1)
            bench.hear()
            #expect(bench.availability() == "online")
        }
    }

    @Test("A connection in progress is closed, and the answer waits for that")
    func connecting() {
        withBridge { bench in
            bench.connectBroker()
            bench.radio.setHolding(true)
            bench.hear()
            bench.request("drain", "")
            #expect(bench.lastResponse("drain") == nil)
            bench.radio.completeNext()
            #expect(bench.lastResponse("drain") == "ok")
            #expect(bench.link()?.disconnects == 1)
            #expect(bench.connection()?["reason"] == "the bridge is draining")
        }
    }

    @Test("Two drain requests are both answered, and an early undrain rejects the waiting request")
    func twice() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setSlowToClose(true)
            bench.request("drain", "")
            bench.request("undrain", "")
            #expect(bench.lastResponse("drain") == "busy")
            bench.link()?.setSlowToClose(false)
            bench.hear()
            #expect(bench.availability() == "online")
            bench.request("drain", "")
            bench.request("drain", "")
            let answers = bench.broker.objects("bridge/attic/response/drain").map { $0["status"] }
            #expect(answers == ["error", "ok", "ok"])
            bench.request("undrain", "")
            bench.request("undrain", "")
            #expect(bench.broker.objects("bridge/attic/response/undrain").last?["was_draining"] == false)
        }
    }

    @Test("Draining ends a permission, admits no devices, and connects no devices of a reload")
    func joinsNothing() {
        withLab { lab in
            let bench = lab.bridge(.empty(join: .always))
            bench.connectBroker()
            bench.request("permit_join", "60")
            bench.request("drain", "")
            #expect(info(bench)?["permit_join"] == false)
            #expect(bench.lastResponse("drain") == "ok")
            bench.hear()
            #expect(bench.availability() == nil)
            #expect(bench.events().contains("device_discovered") == false)
            var settings = BridgeSettings.oneDevice(join: .always)
            settings.devices[0].name = "late"
            bench.configuration.set(ReloadedConfiguration(settings: settings))
            bench.hangUp()
            bench.hear()
            #expect(bench.connection("late")?["reason_code"] == "draining")
            #expect(bench.radio.links(BridgeSettings.sample).isEmpty)
        }
    }

    @Test("Another bridge connects to the device at its next advertisement")
    func handsOver() {
        withLab { lab in
            let (attic, cellar) = (lab.bridge(.oneDevice()), lab.bridge(.oneDevice("cellar")))
            attic.goOnline()
            cellar.connectBroker()
            attic.request("drain", "")
            cellar.hear()
            lab.time.advance(by: .milliseconds(250))
            #expect(attic.connection()?["bridge"] == "cellar")
            #expect(attic.availability() == "online")
            attic.send("level", "60")
            #expect(attic.results().count == 1)
            #expect(cellar.control.last == [5, 60])
        }
    }

    @Test("Draining ends with a restart")
    func restarts() {
        let store = MemoryStore()
        withLab { lab in
            let bench = lab.bridge(.oneDevice(), store: store)
            bench.goOnline()
            bench.request("drain", "")
            bench.shutDown()
        }
        withLab { lab in
            let bench = lab.bridge(.oneDevice(), store: store)
            bench.goOnline()
            #expect(bench.availability() == "online")
            #expect(info(bench)?["draining"] == false)
        }
    }
}
