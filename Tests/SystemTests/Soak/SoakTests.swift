import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

/// A hundred simulated devices with random faults, commands and reloads, for `TACTILE_BRIDGE_SOAK_SECONDS`;
/// disabled without it. The plan comes from a seed, which is printed; `TACTILE_BRIDGE_SOAK_SEED` repeats a plan.
@Suite("A hundred devices with random faults", .serialized)
struct SoakTests {
    private static func variable(_ name: String) -> UInt64? {
        getenv(name).flatMap { UInt64(String(cString: $0)) }
    }

    @Test(
        "Every command is answered once, every event arrives or is counted, and no robot drives beyond its lease",
        .enabled(if: variable("TACTILE_BRIDGE_SOAK_SECONDS") != nil)
    )
    func soak() throws {
        let seconds = Int(Self.variable("TACTILE_BRIDGE_SOAK_SECONDS") ?? 60)
        let seed = Self.variable("TACTILE_BRIDGE_SOAK_SEED") ?? UInt64.random(in: 0...999_999)
        print("soak of \(seconds) s with seed \(seed)")
        TestProcess.allow(seconds: seconds + 900)
        let plan = Plan(seed: seed, length: .seconds(seconds))
        let soak = try Soak(seed: seed)
        try soak.expectAllOnline(within: .seconds(300))
        try soak.settle(within: .seconds(300))
        let before = try #require(soak.holdings)

        let start = EventLoop.now
        var half: Soak.Holdings?
        for step in plan.steps {
            soak.attend(until: start + step.at)
            try soak.carryOut(step.action)
            if half == nil, step.at > .seconds(seconds) / 2 { half = soak.holdings }
        }
        try soak.heal()
        try soak.expectAllOnline(within: .seconds(300))
        try soak.reloadUntilAnswered([
            .presence(Fleet.Device(family: .belt, number: 40)),
            .name(Fleet.Device(family: .tap, number: 40)),
        ])
        try soak.expectAllOnline(within: .seconds(300))
        try soak.settle(within: .seconds(300))
        soak.wheels.finish(at: EventLoop.now)
        let after = try #require(soak.holdings)

        let quiet = Fleet.devices.filter { $0.family == .tap && !$0.isMovable && !$0.isNoisy }.map(\.name)
        print(
            "  \(soak.actions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
        )
        print("  \(soak.commands.summary)")
        print(
            "  answers: \(soak.codes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
        )
        print(
            "  \(soak.events.arrived) events, \(soak.events.repeats) repeated; \(soak.taps.summary(of: quiet))"
        )
        print("  robots drove \(soak.wheels.runs) times; the bridge was delayed \(soak.latenesses) times")
        print("  the bridge: \(before) before, \(half.map(\.description) ?? "-") halfway, \(after) after")
        print("  \(soak.stats)")
        for line in soak.errors { print("  \(line)") }

        for fault in soak.commands.faults { Issue.record("\(fault)") }
        for fault in soak.events.faults { Issue.record("\(fault)") }
        for fault in soak.taps.faults(of: quiet) {
            Issue.record("\(fault)")
            guard let at = fault.at else { continue }
            for line in soak.history.around(at, of: fault.device) { print("  \(line)") }
        }
        for fault in soak.wheels.faults { Issue.record("\(fault)") }
        let families = soak.stats["families"]?.object?.members.map(\.value) ?? []
        let published = families.reduce(0) { $0 + ($1["events"]?.integer ?? 0) }
        let dropped = soak.stats["mqtt"]?["dropped"]?["events"]?.integer ?? -1
        #expect(soak.events.missing == dropped, "what is missing is counted")
        #expect(soak.arrivals + dropped == published, "what is published arrives or is counted")
        #expect(soak.stats["mqtt"]?["queue_depth"] == 0)
        #expect(after.descriptors == before.descriptors)
        #expect(after.memory < before.memory + 10_000_000)
        #expect(try soak.leftOvers() == [])
        soak.bridge.sendAlone(SIGTERM)
        #expect(soak.bridge.wait() == 0)
    }
}
