import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@Suite("Messages and their declarations")
struct DeclarationTests {
    /// Checks every message of a bridge against the declaration of its topic.
    private func check(_ bench: TestBridge) throws {
        let device = DeviceFeatures.all + SampleFamily().features
        for entry in bench.broker.log where !entry.message.payload.isEmpty {
            let message = entry.message
            let levels = message.topic.split(separator: "/").map(String.init)
            let isOwn = levels.first == "bridge"
            guard let name = levels.last, !isOwn || levels.count == 3 else {
                continue
            }
            let features = isOwn ? BridgeFeatures.reports : device
            let ofFleet = BridgeFeatures.ofFleet.first { $0.name == levels.first }?.feature
            let feature = ofFleet ?? features.first { $0.name == name }
            let report = try #require(feature?.report)
            switch report.kind {
            case .state: #expect(message.policy == .state)
            case .event: #expect(message.policy == .event)
            case .stream: #expect(message.policy == .stream)
            }
            let value =
                (try? JSON.Value(parsing: message.payload))
                ?? .string(String(decoding: message.payload, as: UTF8.self))
            switch report.payload {
            case .plain(let type, _): _ = try type.check(value, path: message.topic)
            case .object(var fields):
                if report.kind == .event, !isOwn, name != "result" {
                    fields += [Field("time", .time, ""), Field("seq", .integer(1...Int.max), "")]
                }
                // A successful result has additional members that depend on the command.
                guard name != "result" else { continue }
                _ = try fields.check(try #require(value.object), path: message.topic)
            }
        }
    }

    @Test("All messages of a bridge and a device during a full life match their declarations")
    func life() throws {
        try withLab { lab in
            var settings = BridgeSettings.oneDevice()
            settings.devices[0].name = "sample/left"
            let bench = lab.bridge(settings)
            bench.connectBroker()
            bench.radio.failConnecting(BridgeSettings.sample, RadioError(.unreachable, "no answer"))
            bench.hear()
            bench.time.advance(by: .seconds(1))
            bench.hear()
            for kind in UInt8(1)...9 { bench.link()?.notify(SampleFamily.status, [kind, 1]) }
            for feature in SampleFamily().features {
                guard let command = feature.command else { continue }
                let payload = command.example.string ?? command.example.description
                bench.send(feature.name, payload, device: "sample/left")
            }
            bench.link()?.lose()
            bench.hear("AA:BB:CC:00:00:01", rssi: nil)
            bench.request("permit_join", "60")
            bench.hear("AA:BB:CC:00:00:01")
            bench.radio.tell(.adapterLost("hci0"))
            bench.radio.tell(.adapterReady("hci0"))
            bench.radio.tell(.serviceLost(reason: "gone"))
            bench.radio.tell(.serviceReady)
            bench.request("forget", "sample")
            bench.request("permit_join", "0")
            bench.configuration.set(ReloadedConfiguration(settings: .empty(), restartNeeded: ["bridge.id"]))
            bench.request("reload", "")
            bench.shutDown()
            bench.time.advance(by: .seconds(2))
            #expect(
                Set(bench.events()) == [
                    "device_discovered", "device_joined", "device_left", "device_failed", "adapter_lost",
                    "adapter_back", "bluez_lost", "bluez_back", "config_reloaded",
                    "permit_join_ended",
                ])
            try check(bench)
        }
    }
}
