import Bluetooth
import BridgeTesting
import DeviceKit
import Haptics
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Machine-readable codes next to texts")
struct MachineReadableTests {
    // MARK: Codes of the connection

    @Test(
        "A failed connection has a reason code and an advice code",
        arguments: [
            (RadioError.Code.unreachable, "unreachable", "check_device"),
            (.wrongProfile, "wrong_profile", "remove_from_configuration"),
            (.pairingFailed, "pairing_failed", "pair_device"),
            (.unavailable, "bluetooth_unavailable", "check_adapter"),
            (.serviceClaimed, "service_claimed", "disable_plugin"),
            (.inputDevice, "input_device", "permit_by_address"), (.failed, "link_failed", "check_device"),
            (.busy, "busy", nil),
        ] as [(RadioError.Code, String, String?)])
    func failure(_ code: RadioError.Code, _ reason: String, _ advice: String?) {
        var supervision = Supervision(bondingAdvice: "press the button")
        supervision.radio(.ready)
        supervision.failed(RadioError(code, "words"), at: .zero)
        #expect(supervision.reasonCode?.rawValue == reason && supervision.adviceCode?.rawValue == advice)
    }

    @Test("The codes follow the life of a device, and are null without a reason")
    func life() throws {
        withLab { lab in
            let bench = lab.bridge(.oneDevice(), adapter: nil)
            func codes() -> [JSON.Value?] { ["reason_code", "advice_code"].map { bench.connection()?[$0] } }
            bench.connectBroker()
            #expect(codes() == ["no_adapter", "check_adapter"])
            bench.radio.tell(.adapterReady("hci0"))
            #expect(codes() == ["not_heard", "check_device"])
            bench.hear()
            #expect(codes() == [.null, .null])
            bench.link()?.lose("far")
            #expect(codes() == ["link_lost", "check_device"])
            bench.hear()
            bench.request("disconnect", "sample")
            #expect(codes() == ["disconnected_by_request", "request_connect"])
        }
    }

    @Test("Every reason has a code")
    func everyReason() {
        var supervision = Supervision(fault: "broken")
        _ = supervision.decide(at: .zero)
        #expect(supervision.reasonCode == .familyFault && supervision.adviceCode == .mendDeviceFile)
        supervision = Supervision()
        supervision.radio(RadioState(obstacle: .held, reason: "held"))
        _ = supervision.decide(at: .zero)
        #expect(supervision.reasonCode == .adapterHeld && supervision.adviceCode == .endOtherProgram)
        supervision.radio(RadioState(obstacle: .service, reason: "bluetoothd is not running"))
        _ = supervision.decide(at: .zero)
        #expect(supervision.reasonCode == .bluetoothUnavailable && supervision.adviceCode == .startBluetooth)
        #expect(supervision.advice?.contains("sudo systemctl start bluetooth") == true)
        supervision.yielded(to: "cellar", at: .zero)
        #expect(supervision.reasonCode == .heldByBridge)
        supervision.userReconnect()
        #expect(supervision.reason == nil && supervision.reasonCode == nil)
        supervision.failed(DeviceFailure(.handshake, "no", advice: "switch it on"), at: .zero)
        #expect(supervision.reasonCode == .handshakeFailed && supervision.adviceCode == .seeAdvice)
        supervision.stop(reason: "the bridge was stopped")
        #expect(supervision.reasonCode == .released)
    }

    // MARK: Events

    @Test(
        "A device that refuses a connection or a bond, or lacks a requirement, is reported once as an event",
        arguments: [
            (RadioError.Code.wrongProfile, "wrong_profile"), (.failed, "link_failed"),
            (.unreachable, nil), (.busy, nil),
        ] as [(RadioError.Code, String?)])
    func refused(_ code: RadioError.Code, _ reason: String?) {
        withBridge { bench in
            let error = RadioError(code, "words")
            bench.radio.failConnecting(BridgeSettings.sample, error, error)
            bench.goOnline()
            for _ in 0..<3 {
                bench.time.advance(by: .seconds(400))
                bench.hear()
            }
            let events = bench.broker.objects("bridge/attic/event").filter { $0["event"] == "device_failed" }
            #expect(events.count == (reason == nil ? 0 : 1))
            #expect(events.first?["reason_code"]?.string == reason)
            #expect(events.first?["device"]?.string == (reason == nil ? nil : "sample"))
        }
    }

    @Test("A refused bond is reported as an event")
    func refusedBond() {
        withBridge { bench in
            bench.radio.failConnecting(BridgeSettings.sample, RadioError(.pairingRequired, "refused"))
            bench.radio.failPairing(BridgeSettings.sample, RadioError(.pairingFailed, "no"))
            bench.goOnline()
            bench.time.advance(by: .milliseconds(500))
            let codes = bench.broker.objects("bridge/attic/event").compactMap { $0["reason_code"]?.string }
            #expect(codes == ["pairing_required", "pairing_failed"])
        }
    }

    // MARK: Groups

    @Test("The groups and their members are a state that follows devices and the configuration")
    func groups() {
        withLab { lab in
            var settings = BridgeSettings.oneDevice()
            settings.groups = [.init(name: "wearers", members: ["sample", "other"])]
            let bench = lab.bridge(settings)
            bench.connectBroker()
            func groups() -> JSON.Value? { bench.broker.retainedObject("bridge/attic/groups") }
            #expect(
                groups() == [
                    ["group": "all", "members": ["sample"]], ["group": "all/samples", "members": ["sample"]],
                    ["group": "wearers", "members": ["sample", "other"]],
                ])
            settings.groups = [.init(name: "house", members: ["sample"])]
            bench.configuration.set(ReloadedConfiguration(settings: settings))
            bench.hangUp()
            bench.time.advance(by: .seconds(2))
            #expect(groups()?.array?.last == ["group": "house", "members": ["sample"]])
        }
    }

    // MARK: Patterns

    @Test("The answer to pattern contains the requested pattern and its rendering by each family")
    func pattern() {
        withBridge { bench in
            bench.connectBroker()
            func ask(_ payload: String) -> JSON.Value {
                bench.request("pattern", payload)
                return bench.broker.objects("bridge/attic/response/pattern").last ?? .null
            }
            let known = ask("normal")
            #expect(known["status"] == "ok" && known["asked"]?.array?.isEmpty == false)
            #expect(known["shown"]?["sample"] == .null, "it cannot vibrate")
            let inline = ask(
                #"{"device":"sample","scale":0.5,"events":[{"time":0.1,"kind":"continuous","duration":0.2,"intensity":0.8,"sharpness":0.3}]}"#
            )
            #expect(
                inline["asked"] == [["time": 0.1, "duration": 0.2, "intensity": 0.4, "sharpness": 0.3]])
            #expect(inline["duration_s"] == 0.3)
            #expect(ask("nothing")["code"] == "invalid_value")
            #expect(ask("stop")["code"] == "invalid_value")
            #expect(ask(#"{"pattern":"normal","device":"other"}"#)["code"] == "unknown_device")
            let both = ask(#"{"pattern":"normal","device":"sample","family":"sample"}"#)
            #expect(both["code"] == "invalid_value")
            #expect(ask("{}")["code"] == "missing_field")
            #expect(bench.link() == nil)
        }
    }

    @Test("The curves of a long pattern fit one message, and are averaged if they have too many steps")
    func longPattern() throws {
        try withBridge { bench in
            bench.connectBroker()
            // Up and down in 20 s, 30 times. An event is at most 30 s long, and a curve has at most 16 points.
            let events = (0..<20).map { number in
                #"{"Event":{"Time":\#(number * 30),"EventType":"HapticContinuous","EventDuration":30,"EventParameters":[{"ParameterID":"HapticIntensity","ParameterValue":1}]}}"#
            }
            let curves = (0..<4).map { number in
                let points = (0...15).map {
                    #"{"Time":\#($0 * 10),"ParameterValue":\#((number * 15 + $0) % 2)}"#
                }
                return
                    #"{"ParameterCurve":{"ParameterID":"HapticIntensityControl","Time":\#(number * 150),"ParameterCurveControlPoints":[\#(points.joined(separator: ","))]}}"#
            }
            let waves = #"{"ahap":{"Pattern":[\#((events + curves).joined(separator: ","))]}}"#
            bench.request("pattern", waves)
            let answer = try #require(bench.broker.objects("bridge/attic/response/pattern").last)
            let asked = try #require(answer["asked"]?.array, "\(answer)")
            let slot = try #require(answer["sampled_s"]?.double)
            #expect(answer["duration_s"] == 600 && asked.count > 1000 && asked.count <= 4000)
            #expect(JSON.Value.object(answer.object ?? [:]).bytes.count < 400_000)
            for step in asked.dropLast() {
                let middle = (step["time"]?.double ?? 0) + slot / 2
                let wave = 1 - abs((middle / 10).truncatingRemainder(dividingBy: 2) - 1)
                #expect(abs((step["intensity"]?.double ?? 9) - wave) < 0.05)
            }
        }
    }
}
