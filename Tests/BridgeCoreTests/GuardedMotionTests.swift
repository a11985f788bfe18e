import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("No motion without a guardian")
struct GuardedMotionTests {
    private static let address: Address = "AA:BB:CC:00:00:07"

    /// Runs a test with a bridge that has a roller and a sample device.
    private func withRoller(_ body: (TestBridge) throws -> Void) rethrows {
        try withLab { lab in
            let settings = BridgeSettings(
                id: "attic", join: .permit,
                devices: [
                    .init(name: "roller", family: "roller", address: Self.address, settings: [:]),
                    .init(name: "sample", family: "sample", address: BridgeSettings.sample, settings: [:]),
                ],
                families: ["roller": [:], "sample": ["greeting": ""]], version: "1.0", host: "attic.example")
            let bench = lab.bridge(settings, families: [RollerFamily(armsItself: true), SampleFamily()])
            bench.connectBroker()
            try body(bench)
        }
    }

    private func connect(_ bench: TestBridge) {
        bench.hear(Self.address, name: "roller")
        bench.letStartPass()
    }

    private func writes(_ bench: TestBridge, _ characteristic: CharacteristicID) -> [[UInt8]] {
        bench.link(Self.address)?.writes(characteristic) ?? []
    }

    /// Rolls for a time. Returns the reason of a refusal; nil if the command is accepted.
    private func refusal(_ bench: TestBridge, _ milliseconds: Int = 500) -> String? {
        let count = bench.results("roller").count
        bench.send("roll", "\(milliseconds)", device: "roller")
        guard bench.results("roller").count > count, let result = bench.results("roller").last else {
            return nil
        }
        return "\(result["code"]?.string ?? "") \(result["reason"]?.string ?? "")"
    }

    private func health(_ bench: TestBridge) -> (isHealthy: Bool?, problems: String) {
        bench.request("health_check", "")
        let response = bench.broker.objects("bridge/attic/response/health_check").last
        return (
            response?["healthy"]?.bool,
            response?["problems"]?.array?.compactMap(\.string).joined(separator: "; ") ?? ""
        )
    }

    private func isReported(_ bench: TestBridge) -> Bool? {
        bench.broker.retainedObject("bridge/attic/info")?["guardian"]?.bool
    }

    @Test("Motion and power are blocked until the guardian answers")
    func unanswered() {
        withRoller { bench in
            bench.guardian.setSilent(true)
            connect(bench)
            #expect(bench.guardian.wills.keys.contains { $0.hasSuffix("\(Self.address)") })
            #expect(refusal(bench) == "wrong_mode no_guardian")
            #expect(writes(bench, RollerFamily.motor) == [] && writes(bench, RollerFamily.power) == [])
            #expect(health(bench).isHealthy == false)
            #expect(health(bench).problems.contains("no guardian protects roller"))
            #expect(isReported(bench) == true, "it runs")

            bench.guardian.setSilent(false)
            #expect(writes(bench, RollerFamily.power) == [[9]], "what waits for clearance is done")
            #expect(refusal(bench) == nil)
            #expect(health(bench).isHealthy == true)
        }
    }

    @Test("Later deadlines need no confirmation")
    func laterWills() {
        withRoller { bench in
            connect(bench)
            #expect(refusal(bench) == nil)
            bench.guardian.setSilent(true)
            bench.time.advance(by: .milliseconds(100))
            #expect(refusal(bench) == nil)
        }
    }

    @Test("A lost guardian does not stop a running motion, allows stops, and blocks new motion")
    func lost() {
        withRoller { bench in
            connect(bench)
            #expect(isReported(bench) == true)
            #expect(refusal(bench, 2000) == nil)
            bench.guardian.lose("it cannot be started: posix_spawn: Resource temporarily unavailable")
            #expect(refusal(bench) == "wrong_mode no_guardian")
            #expect(isReported(bench) == false)
            #expect(health(bench).isHealthy == false)
            #expect(health(bench).problems.contains("posix_spawn: Resource temporarily unavailable"))
            bench.time.advance(by: .milliseconds(1990))
            #expect(writes(bench, RollerFamily.motor) == [[1]])
            bench.time.advance(by: .milliseconds(20))
            #expect(writes(bench, RollerFamily.motor) == [[1], [0]])
            bench.send("stop", "", device: "roller")
            #expect(bench.lastResult("roller") == "ok")
            #expect(refusal(bench) == "wrong_mode no_guardian")

            bench.guardian.recover()
            #expect(isReported(bench) == true && health(bench).isHealthy == true)
            bench.time.advance(by: .seconds(3))
            #expect(refusal(bench) == nil)
        }
    }

    @Test("A confirmation is valid only for the connection of its will")
    func nextLink() throws {
        try withRoller { bench in
            connect(bench)
            #expect(refusal(bench) == nil)
            bench.guardian.setSilent(true)
            try #require(bench.link(Self.address)).lose("gone")
            connect(bench)
            #expect(bench.radio.links(Self.address).count == 2)
            #expect(refusal(bench) == "wrong_mode no_guardian")
            bench.guardian.setSilent(false)
            #expect(refusal(bench) == nil)
        }
    }

    @Test("A harmless device is not blocked, and without a robot the bridge is healthy")
    func harmless() {
        withRoller { bench in
            bench.guardian.lose()
            bench.hear()
            #expect(bench.availability() == "online")
            bench.send("echo", "5")
            #expect(bench.lastResult() != "wrong_mode")
            #expect(health(bench).isHealthy == true)
            #expect(isReported(bench) == false)
        }
    }
}
