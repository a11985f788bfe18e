import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("Devices that refuse, fail or require a bond")
struct FailureTests {
    private let refusal = OperationError(.notPermitted, "insufficient authentication")

    @Test("A device that refuses access is bonded, shows advice for the user, and is connected again")
    func pairingOnRefusal() {
        withBridge { bench in
            bench.radio.setUpLinks { [refusal] in $0.fail(SampleFamily.status, refusal) }
            bench.goOnline()
            #expect(bench.connection()?["state"] == "searching")
            #expect(bench.connection()?["reason"] == "it wants a bond")
            #expect(bench.connection()?["advice"] == "press it")
            #expect(bench.link()?.disconnects == 1)

            bench.radio.setUpLinks { _ in }
            bench.radio.setHolding(true)
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.connection()?["state"] == "pairing")
            bench.radio.setHolding(false)
            bench.radio.completeNext()
            #expect(
                bench.radio.requests == [
                    .connect(BridgeSettings.sample), .pair(BridgeSettings.sample),
                    .connect(BridgeSettings.sample),
                ])
            #expect(bench.availability() == "online")
            #expect(bench.connection()?["advice"] == .null)
        }
    }

    @Test("Advice for a device that advertises as another family lists the families that fit")
    func otherFamily() {
        withLab { lab in
            var settings = BridgeSettings.oneDevice()
            (settings.devices[0].name, settings.devices[0].family) = ("left", "roller")
            let bench = lab.bridge(settings, families: [SampleFamily(), RollerFamily()])
            bench.radio.failConnecting(BridgeSettings.sample, RadioError(.wrongProfile, "it lacks the motor"))
            bench.goOnline()
            let connection = bench.connection("left")
            #expect(connection?["advice"]?.string?.hasSuffix("families that fit: sample") == true)
            #expect(connection?["advice_code"] == "remove_from_configuration")
        }
    }

    @Test("A refused bond is an error with the family's advice, and is retried after 5, 10 and 20 s")
    func pairingFails() {
        withBridge { bench in
            bench.radio.failConnecting(BridgeSettings.sample, RadioError(.pairingRequired, "refused"))
            bench.radio.failPairing(
                BridgeSettings.sample, RadioError(.pairingFailed, "no"), RadioError(.failed, "no"),
                RadioError(.pairingFailed, "no"))
            bench.goOnline()
            bench.time.advance(by: .milliseconds(500))
            for (number, pause) in [5, 10, 20].enumerated() {
                #expect(bench.connection()?["state"] == "error")
                #expect(bench.connection()?["advice"] == "press the button for 5 seconds")
                #expect(bench.radio.requests.count == 2 + number)
                bench.time.advance(by: .seconds(pause) - .milliseconds(1))
                #expect(bench.radio.requests.count == 2 + number)
                bench.time.advance(by: .milliseconds(1))
            }
            #expect(bench.availability() == "online")
        }
    }

    @Test(
        "A family that requires a bond is bonded first, unless the host has a bond", arguments: [true, false])
    func bondFirst(isPaired: Bool) {
        var family = SampleFamily()
        family.requirements.bonding = .always
        withBridge(family) { bench in
            bench.connectBroker()
            bench.hear(isPaired: isPaired)
            let address = BridgeSettings.sample
            #expect(
                bench.radio.requests
                    == (isPaired ? [.connect(address)] : [.pair(address), .connect(address)]))
            #expect(bench.availability() == "online")
        }
    }

    struct Verdict: Sendable, CustomTestStringConvertible {
        var said: UInt8
        var state: String
        var pause: Duration?
        var isEvent: Bool
        var testDescription: String { state }
    }

    @Test(
        "A failure that the state machine reports decides the next step",
        arguments: [
            Verdict(said: 6, state: "error", pause: .seconds(1), isEvent: true),
            Verdict(said: 7, state: "searching", pause: nil, isEvent: false),
            Verdict(said: 8, state: "searching", pause: nil, isEvent: false),
            Verdict(said: 9, state: "error", pause: .seconds(300), isEvent: true),
        ])
    func machineFailure(_ verdict: Verdict) {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.notify(SampleFamily.status, [verdict.said, 0])
            #expect(bench.link()?.disconnects == 1)
            #expect(bench.connection()?["state"]?.string == verdict.state)
            #expect(bench.availability() == "offline")
            #expect(bench.events().contains("device_failed") == verdict.isEvent)
            #expect((bench.connection()?["next_attempt"] == .null) == (verdict.pause == nil))
            if let pause = verdict.pause {
                bench.hear()
                bench.time.advance(by: pause - .milliseconds(1))
                #expect(bench.radio.links(BridgeSettings.sample).count == 1)
                bench.time.advance(by: .milliseconds(1))
            }
            bench.hear()
            #expect(bench.radio.links(BridgeSettings.sample).count == 2)
        }
    }

    @Test("A handshake that never completes is given up, even if the link reports no end")
    func handshakeTimeout() {
        withBridge { bench in
            bench.radio.setUpLinks { link in
                link.setHolding(true)
                link.setSilent(true)
            }
            bench.goOnline()
            bench.time.advance(by: .seconds(5))
            #expect(bench.link()?.disconnects == 1)
            #expect(bench.connection()?["state"] == "error")
            #expect(bench.connection()?["reason"] == "not ready in 5 s")
        }
    }

    @Test("A lost adapter that comes back is reported on the topics")
    func adapter() {
        withBridge { bench in
            bench.goOnline()
            bench.radio.tell(.adapterLost("hci0"))
            bench.link()?.lose("adapter removed")
            #expect(bench.connection()?["state"] == "disconnected")
            #expect(bench.connection()?["reason"] == "no Bluetooth adapter is ready")
            #expect(bench.connection()?["advice"]?.string?.contains("rfkill") == true)
            #expect(bench.radio.discoveries == 0)
            bench.hear()
            #expect(bench.radio.links(BridgeSettings.sample).count == 1)
            bench.radio.tell(.adapterReady("hci0"))
            #expect(bench.connection()?["state"] == "searching")
            #expect(bench.radio.discoveries == 1)
            bench.hear()
            #expect(bench.availability() == "online")
            #expect(bench.events() == ["adapter_lost", "adapter_back"])
        }
    }

    @Test("A lost Bluetooth service that comes back is reported on the topics")
    func service() {
        withBridge { bench in
            bench.goOnline()
            bench.radio.tell(.serviceLost(reason: "org.bluez has no owner"))
            bench.link()?.lose("the service is gone")
            #expect(bench.connection()?["reason"] == "org.bluez has no owner")
            #expect(bench.availability() == "offline")
            bench.radio.tell(.serviceReady)
            #expect(bench.connection()?["reason"] == "no Bluetooth adapter is ready")
            bench.radio.tell(.adapterReady("hci0"))
            bench.hear()
            #expect(bench.availability() == "online")
            #expect(bench.events() == ["bluez_lost", "bluez_back", "adapter_back"])
            #expect(bench.broker.retainedObject("bridge/attic/info")?["bluez"] == "5.66")
        }
    }

    @Test("Without an adapter, the bridge waits and reports the reason")
    func noAdapter() {
        withLab { lab in
            let bench = lab.bridge(.oneDevice(), adapter: nil)
            bench.connectBroker()
            bench.hear()
            #expect(bench.connection()?["state"] == "disconnected")
            #expect(bench.connection()?["reason"] == "no Bluetooth adapter is ready")
            #expect(bench.radio.requests == [])
        }
    }
}
