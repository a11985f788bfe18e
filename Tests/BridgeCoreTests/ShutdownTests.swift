import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@Suite("Shutdown of the bridge")
struct ShutdownTests {
    @Test(
        "Devices are stopped and disconnected cleanly before offline is published, last for the bridge itself"
    )
    func order() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            bench.shutDown()
            #expect(bench.motor == [[0]])
            #expect(bench.availability() == "online")
            bench.link()?.completeNext()
            #expect(bench.control.last == [0xFF])
            #expect(bench.availability() == "online")
            #expect(bench.link()?.disconnects == 0)
            bench.link()?.completeNext()
            #expect(bench.availability() == "offline")
            #expect(bench.link()?.disconnects == 1)
            #expect(bench.isOver)
            #expect(bench.connection()?["reason"] == "the bridge was stopped")
            #expect(bench.broker.log.last?.message.topic == "bridge/attic/availability")
            #expect(bench.broker.retained("bridge/attic/availability") == "offline")
        }
    }

    @Test("The last writes are sent before the disconnection, even if the state machine disconnects early")
    func hasty() {
        withLab { lab in
            var settings = BridgeSettings.oneDevice()
            settings.devices[0].settings = ["greeting": "hasty"]
            let bench = lab.bridge(settings)
            bench.goOnline()
            bench.link()?.setHolding(true)
            bench.shutDown()
            for _ in 0..<2 {
                #expect(bench.availability() == "online")
                #expect(bench.link()?.disconnects == 0)
                bench.link()?.completeNext()
            }
            #expect(
                bench.link()?.operations.suffix(2).map(\.characteristic) == [
                    SampleFamily.motor, SampleFamily.control,
                ])
            #expect(bench.link()?.disconnects == 1)
            #expect(bench.isOver)
        }
    }

    @Test("A device that never answers is disconnected after 1.5 s")
    func bounded() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            bench.shutDown()
            bench.time.advance(by: .milliseconds(1499))
            #expect(bench.availability() == "online")
            #expect(!bench.isOver)
            bench.time.advance(by: .milliseconds(1))
            #expect(bench.availability() == "offline")
            #expect(bench.broker.retained("bridge/attic/availability") == "offline")
            #expect(bench.link()?.disconnects == 1)
            #expect(bench.isOver)
        }
    }

    @Test("Waiting commands are answered, and new commands are ignored")
    func commands() {
        withBridge { bench in
            bench.goOnline()
            bench.send("mute", "")
            bench.link()?.setHolding(true)
            bench.shutDown()
            bench.send("level", "60")
            bench.time.advance(by: .seconds(2))
            #expect(bench.results().map { $0["code"] } == ["device_offline"])
        }
    }

    @Test(
        "A bridge shuts down in any state",
        arguments: ["no broker", "searching", "connecting", "pairing", "preparing", "lost"])
    func anyState(_ state: String) {
        withBridge { bench in
            if state != "no broker" { bench.connectBroker() }
            switch state {
            case "connecting":
                bench.radio.setHolding(true)
                bench.hear()
            case "pairing":
                bench.radio.failConnecting(BridgeSettings.sample, RadioError(.pairingRequired, "refused"))
                bench.hear()
                bench.radio.setHolding(true)
                bench.time.advance(by: .seconds(1))
            case "preparing":
                bench.radio.setUpLinks { $0.setHolding(true) }
                bench.hear()
            case "lost":
                bench.hear()
                bench.link()?.setHolding(true)
                bench.shutDown()
                bench.link()?.lose()
            default: break
            }
            bench.shutDown()
            #expect(bench.isOver)
            #expect(bench.radio.discoveries == 0)
            if state != "no broker" {
                #expect(bench.availability() == "offline")
                #expect(bench.broker.retained("bridge/attic/availability") == "offline")
            }
        }
    }

    @Test("A canceled bridge stops without a message")
    func cancelled() {
        let lab = Lab()
        let bench = lab.bridge(.oneDevice())
        bench.goOnline()
        bench.cancel()
        #expect(bench.isOver)
    }
}
