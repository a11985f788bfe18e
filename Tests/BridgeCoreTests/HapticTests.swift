import Bluetooth
import BridgeTesting
import DeviceKit
import Haptics
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

/// A device that only vibrates. It answers with the arguments that it received.
private struct BuzzerFamily: DeviceFamily {
    let name = "buzzer"
    let displayName = "Buzzer"
    let naming = Naming.single
    let requirements = LinkRequirements(required: [])
    let settings: [Field] = []
    let features = [Feature.haptic()]

    func recognises(_ advertisement: Advertisement) -> Bool { advertisement.name == "buzzer" }
    func makeMachine(_ context: DeviceContext) -> any DeviceMachine { Machine() }

    private struct Machine: DeviceMachine {
        var will: Will { .none }

        mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
            switch input {
            case .connected: effects.append(.ready)
            case .command(let id, _, let arguments):
                effects.answer(id, .ok(["heard": .object(arguments.values)]))
            case .close: effects.append(.disconnect)
            default: break
            }
        }
    }
}

@Suite("Haptic commands in the bridge")
struct HapticTests {
    private static let first: Address = "AA:BB:CC:00:00:01"
    private static let second: Address = "AA:BB:CC:00:00:02"

    private func withBuzzers(_ body: (TestBridge) throws -> Void) rethrows {
        var library = Library()
        library.add("knock.ahap") { () throws(HapticsError) in
            AHAPFile(Pattern([Event(time: 0, .transient, intensity: 1, sharpness: 1)]))
        }
        library.leaveOut("broken.ahap", reason: "Pattern: missing")
        var settings = BridgeSettings(
            id: "attic",
            devices: [
                .init(name: "buzzer", family: "buzzer", address: Self.first),
                .init(name: "other", family: "buzzer", address: Self.second),
                .init(name: "sample", family: "sample", address: BridgeSettings.sample),
            ])
        settings.patterns = library
        try withLab { lab in
            let bench = lab.bridge(settings, families: [BuzzerFamily(), SampleFamily()])
            bench.connectBroker()
            bench.hear(Self.first, name: "buzzer")
            bench.hear(Self.second, name: "buzzer")
            bench.hear()
            try body(bench)
        }
    }

    @Test("The names of the patterns are published, without ignored files")
    func patterns() {
        withBuzzers { bench in
            #expect(
                bench.broker.retained("bridge/attic/patterns")
                    == #"["normal","multi","gradual","heavy","knock"]"#)
        }
    }

    @Test("A pattern name is resolved to the pattern of its file")
    func resolved() {
        withBuzzers { bench in
            bench.send("haptic", "knock", device: "buzzer")
            let heard = bench.results("buzzer").last?["heard"]
            #expect(heard?["pattern"] == "knock")
            #expect(heard?["ahap"]?["Pattern"]?.array?.count == 1)
        }
    }

    @Test("An unknown pattern is refused with a list of the known patterns")
    func unknown() {
        withBuzzers { bench in
            bench.send("haptic", "knok", device: "buzzer")
            #expect(bench.lastResult("buzzer") == "invalid_value")
            #expect(
                bench.results("buzzer").last?["message"]
                    == "pattern: no pattern knok; known: normal multi gradual heavy knock, and stop")
        }
    }

    @Test("A device without motors answers that it cannot vibrate")
    func notSupported() {
        withBuzzers { bench in
            bench.send("haptic", "normal")
            #expect(bench.lastResult() == "not_supported")
            #expect(bench.results().last?["message"]?.string?.contains("cannot vibrate") == true)
        }
    }

    @Test("A device with individually subscribed commands answers that it cannot vibrate")
    func notSupportedFleeting() {
        var family = SampleFamily()
        family.isFleeting = true
        withBridge(family) { bench in
            bench.goOnline()
            bench.send("haptic", "normal")
            #expect(bench.lastResult() == "not_supported")
        }
    }

    @Test("A start time becomes a delay, and a time that is over or too far ahead is refused")
    func moments() throws {
        try withBuzzers { bench in
            func send(after milliseconds: Int64) {
                let at = TimeStamp(milliseconds: bench.time.date.milliseconds + milliseconds)
                bench.send("haptic", #"{"pattern":"heavy","at":"\#(at)"}"#, device: "buzzer")
            }
            send(after: 2000)
            let heard = bench.results("buzzer").last?["heard"]
            let delay = try #require(heard?["delay_ms"]?.integer)
            #expect((1900...2000).contains(delay) && heard?["at"] == nil)
            send(after: -500)
            #expect(bench.results("buzzer").last?["heard"]?["delay_ms"] == 0)
            send(after: -5000)
            #expect(bench.lastResult("buzzer") == "expired")
            send(after: 60_000)
            #expect(bench.lastResult("buzzer") == "out_of_range")
        }
    }

    @Test("All members of a group start at the same time")
    func group() throws {
        try withBuzzers { bench in
            bench.broker.send("all/haptic/set", "heavy")
            let members = try #require(bench.results("all").last?["members"]?.array)
            #expect(members.map { $0["device"] } == ["buzzer", "other"], "what cannot vibrate has no part")
            let delays = Set(members.map { $0["heard"]?["delay_ms"]?.integer })
            #expect(delays.count == 1 && delays.first != nil)
        }
    }
}
