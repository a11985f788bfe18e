import Bluetooth
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

/// A family of devices that give the command that they receive.
private struct GiverFamily: DeviceFamily {
    let name = "giver"
    let displayName = "Giver"
    let naming = Naming.single
    let requirements = LinkRequirements(required: [])
    let settings: [Field] = []
    let features = [
        Feature(
            "give", "Gives a command.",
            command: Command(
                [
                    Field("device", .text(1...64), "The device; the giver itself if omitted."),
                    Field("command", .text(1...64), required: true, "The feature."),
                    Field("payload", .integer(0...255), default: 60, "The payload."),
                ], example: ["command": "give"]))
    ]

    func recognises(_ advertisement: Advertisement) -> Bool { advertisement.name == "giver" }
    func makeMachine(_ context: DeviceContext) -> any DeviceMachine { Machine() }

    private struct Machine: DeviceMachine {
        var will: Will { .none }
        mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
            switch input {
            case .connected: effects.append(.ready)
            case .command(let id, _, let arguments):
                effects.answer(id, .ok)
                let feature = arguments.text("command") ?? ""
                if feature == "relay" {
                    return effects.append(
                        .relay(to: arguments.text("device") ?? "", input: "button up"))
                }
                effects.append(
                    .command(
                        DeviceCommand(
                            device: arguments.text("device"), feature: feature,
                            payload: feature == "give"
                                ? ["command": "give"] : .integer(arguments.integer("payload") ?? 0))))
            case .relayed(let input): effects.append(.remark(.info, "relayed: \(input)"))
            default: break
            }
        }
    }
}

@Suite("Commands that a device gives to another device")
struct GivenCommandTests {
    private static let giver: Address = "AA:BB:CC:00:00:0A"
    private static let second: Address = "AA:BB:CC:00:00:0C"
    private static let third: Address = "AA:BB:CC:00:00:0D"
    private static let roller: Address = "AA:BB:CC:00:00:0B"

    private func settings(_ bridge: String = "attic", allowing: [String]) -> BridgeSettings {
        var settings = BridgeSettings(
            id: bridge,
            devices: [
                .init(name: "sample", family: "sample", address: BridgeSettings.sample),
                .init(name: "giver", family: "giver", address: Self.giver),
                .init(name: "giver/two", family: "giver", address: Self.second),
                .init(name: "giver/three", family: "giver", address: Self.third),
                .init(name: "roller", family: "roller", address: Self.roller),
            ], groups: [.init(name: "both", members: ["sample", "giver"])])
        settings.gestureDevices = allowing
        return settings
    }

    private func withGiver(allowing: [String], _ body: (TestBridge) throws -> Void) rethrows {
        try withLab { lab in
            let bench = lab.bridge(
                settings(allowing: allowing), families: [SampleFamily(), GiverFamily(), RollerFamily()])
            bench.goOnline()
            bench.hear(Self.giver, name: "giver")
            bench.hear(Self.roller, name: "roller")
            try body(bench)
        }
    }

    @Test("A command reaches a device that the setting names, and that device answers")
    func allowed() {
        withGiver(allowing: ["sample"]) { bench in
            bench.broker.send("giver/give/set", #"{"device":"sample","command":"level"}"#)
            #expect(bench.control.last == [5, 60])
            #expect(bench.results("sample").last?["feature"] == "level")
            #expect(bench.lastResult("sample") == "ok")
            bench.broker.send("giver/give/set", #"{"device":"sample","command":"level","payload":200}"#)
            #expect(bench.lastResult("sample") == "out_of_range")
            #expect(bench.results("giver").allSatisfy { $0["feature"] == "give" })
        }
    }

    @Test(
        "A command that is not allowed is refused with the reason, on the topic of the device that gives it",
        arguments: [
            ([], "sample", "level", "not_supported", "allowed in the setting gestures.devices: no device"),
            (["roller"], "sample", "level", "not_supported", "gestures.devices: roller"),
            (["roller"], "roller", "roll", "not_supported", "never send commands to a hazardous device"),
            (["roller"], "roller", "stop", "not_supported", "never send commands to a hazardous device"),
            (["cellar"], "cellar", "level", "unknown_device", "this bridge has no device with this name"),
            (["both"], "both", "level", "unknown_device", "this bridge has no device with this name"),
        ])
    func refused(allowing: [String], device: String, feature: String, code: String, words: String) {
        withGiver(allowing: allowing) { bench in
            let before = bench.link(Self.roller)?.writes(RollerFamily.motor).count
            bench.broker.send("giver/give/set", #"{"device":"\#(device)","command":"\#(feature)"}"#)
            #expect(bench.lastResult("giver") == code)
            #expect(bench.results("giver").last?["feature"] == "action")
            let message = "\(bench.results("giver").last ?? nil)"
            #expect(message.contains("\(device)/\(feature): ") && message.contains(words), "\(message)")
            #expect(bench.control.contains([5, 60]) == false)
            #expect(bench.link(Self.roller)?.writes(RollerFamily.motor).count == before)
        }
    }

    @Test("A device of another bridge receives no command, and the reason names this limit")
    func otherHost() {
        withLab { lab in
            let attic = lab.bridge(
                settings(allowing: ["sample"]), families: [SampleFamily(), GiverFamily(), RollerFamily()])
            let cellar = lab.bridge(.oneDevice("cellar"))
            cellar.goOnline()
            attic.connectBroker()
            attic.hear(Self.giver, name: "giver")
            attic.time.advance(by: .milliseconds(250))
            attic.broker.send("giver/give/set", #"{"device":"sample","command":"level"}"#)
            #expect(attic.lastResult("giver") == "not_supported")
            #expect("\(attic.results("giver").last ?? nil)".contains("another bridge has this device"))
            #expect(cellar.control.contains([5, 60]) == false)
        }
        withLab { lab in
            let attic = lab.bridge(
                settings(allowing: []), families: [SampleFamily(), GiverFamily(), RollerFamily()])
            let cellar = lab.bridge(
                settings("cellar", allowing: []), families: [SampleFamily(), GiverFamily(), RollerFamily()])
            for bench in [attic, cellar] { bench.connectBroker() }
            cellar.hear(Self.second, name: "giver")
            attic.hear(Self.giver, name: "giver")
            attic.time.advance(by: .milliseconds(250))
            attic.broker.send("giver/give/set", #"{"device":"giver/two","command":"relay"}"#)
            #expect("\(attic.results("giver").last ?? nil)".contains("pair: another bridge has giver/two"))
        }
    }

    @Test("An input of a pair reaches the other device of the same family and the same bridge")
    func pairs() {
        withGiver(allowing: []) { bench in
            bench.hear(Self.second, name: "giver")
            bench.broker.send("giver/give/set", #"{"device":"giver/two","command":"relay"}"#)
            #expect(bench.log.all.contains("relayed: button up"))
            #expect(bench.results("giver").allSatisfy { $0["status"] == "ok" })
            for (device, words) in [
                ("sample", "pair: sample is a sample; allowed: a giver"),
                ("giver", "pair: giver: allowed: another device that the same bridge has"),
                ("attic", "pair: attic: allowed: another device that the same bridge has"),
                ("giver/three", "pair: giver/three is searching"),
            ] {
                bench.broker.send("giver/give/set", #"{"device":"\#(device)","command":"relay"}"#)
                let message = "\(bench.results("giver").last ?? nil)"
                #expect(message.contains(words), "\(message)")
            }
        }
    }

    @Test("A hazardous device takes no command under an allowed name that it got at run time or had before")
    func renamed() {
        withLab { lab in
            var settings = BridgeSettings(
                id: "attic", join: .permit, families: ["roller": [:], "giver": [:]], version: "1.0",
                host: "attic.example")
            settings.gestureDevices = ["lamp", "roller"]
            let store = MemoryStore(
                BridgeState(devices: [
                    .init(address: Self.roller, family: "roller", name: "roller"),
                    .init(address: Self.giver, family: "giver", name: "giver"),
                ]))
            let bench = lab.bridge(settings, families: [GiverFamily(), RollerFamily()], store: store)
            bench.connectBroker()
            bench.hear(Self.giver, name: "giver")
            bench.hear(Self.roller, name: "roller")
            bench.letStartPass()
            bench.request("rename", #"{"device":"roller","to":"lamp"}"#)
            bench.time.advance(by: .seconds(1))
            #expect(bench.lastResponse("rename") == "ok")
            let writes = {
                bench.link(Self.roller).map {
                    $0.writes(RollerFamily.motor) + $0.writes(RollerFamily.power)
                }
            }
            let before = writes()
            for (name, words) in [
                ("lamp", "never send commands to a hazardous device"), ("roller", "no device with this name"),
            ] {
                for feature in ["roll", "arm", "spin", "stop"] {
                    bench.broker.send("giver/give/set", #"{"device":"\#(name)","command":"\#(feature)"}"#)
                    let message = "\(bench.results("giver").last ?? nil)"
                    #expect(message.contains("\(name)/\(feature): ") && message.contains(words), "\(message)")
                }
            }
            #expect(writes() == before && before != nil)
        }
    }

    @Test("A reload changes which devices may receive commands")
    func reloaded() {
        withGiver(allowing: []) { bench in
            for (allowed, code) in [(["sample"], "ok"), ([], "not_supported")] {
                bench.configuration.set(ReloadedConfiguration(settings: settings(allowing: allowed)))
                bench.request("reload", "")
                bench.time.advance(by: .milliseconds(500))
                #expect(bench.lastResponse("reload") == "ok")
                bench.broker.send("giver/give/set", #"{"device":"sample","command":"level"}"#)
                #expect(bench.lastResult(code == "ok" ? "sample" : "giver") == code)
            }
        }
    }

    @Test("Commands that cause each other end at the limit")
    func loop() {
        withGiver(allowing: []) { bench in
            bench.broker.send("giver/give/set", #"{"command":"give"}"#)
            #expect(bench.results("giver").filter { $0["status"] == "ok" }.count == 41)
            #expect(bench.lastResult("giver") == "rate_limited")
        }
    }
}
