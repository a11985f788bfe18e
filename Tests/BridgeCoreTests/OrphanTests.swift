import Bluetooth
import BridgeTesting
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Devices of a bridge that is gone, which no other bridge had in range")
struct OrphanTests {
    private static let first: Address = "C0:FF:EE:00:BE:01"
    private static let second: Address = "C0:FF:EE:00:BE:02"

    /// Starts a bridge that admits every device in range.
    private func open(_ lab: Lab, _ id: String) -> TestBridge {
        let bench = lab.bridge(.empty(id, join: .always))
        bench.connectBroker()
        return bench
    }

    /// Disconnects a bridge from the broker, and publishes its last will.
    private func die(_ bench: TestBridge, _ id: String = "attic") {
        bench.client.lose()
        bench.lab.broker.send("bridge/\(id)/availability", "offline", retain: true)
        bench.lab.executor.drain()
    }

    @Test("After a while, one of the remaining bridges adds each device, reports it as offline and answers")
    func orphans() {
        withLab { lab in
            let (attic, others) = (open(lab, "attic"), [open(lab, "cellar"), open(lab, "shed")])
            for address in [Self.first, Self.second] { attic.hear(address) }
            lab.time.advance(by: .seconds(1))
            die(attic)
            lab.time.advance(by: .seconds(9))
            #expect(others.allSatisfy { $0.store.state.devices.isEmpty })
            #expect(lab.broker.retained("sample/availability") == "online")
            lab.time.advance(by: .seconds(6))
            #expect(lab.broker.retained("sample/availability") == "offline")
            #expect(lab.broker.retained("sample/00be02/availability") == "offline")
            // Each device is added by one bridge.
            #expect(
                others.flatMap { $0.store.state.devices.map(\.name) }.sorted() == ["sample", "sample/00be02"])
            lab.broker.clearLog()
            lab.broker.send("sample/level/set", "5")
            lab.executor.drain()
            let answers = lab.broker.objects("sample/result").filter { $0["code"] == "device_offline" }
            #expect(answers.count == 1)
            #expect(others.contains { $0.radio.discoveries == 1 })
        }
    }

    @Test("A bridge that goes offline later has its own time to come back")
    func two() {
        withLab { lab in
            let (attic, cellar, shed) = (open(lab, "attic"), open(lab, "cellar"), open(lab, "shed"))
            attic.hear(Self.first)
            cellar.hear(Self.second)
            lab.time.advance(by: .seconds(1))
            die(attic)
            lab.time.advance(by: .seconds(5))
            die(cellar, "cellar")
            lab.time.advance(by: .seconds(7))
            #expect(shed.store.state.devices.map(\.address) == [Self.first])
            lab.time.advance(by: .seconds(4))
            #expect(shed.store.state.devices.map(\.address) == [Self.first, Self.second])
        }
    }

    @Test("A bridge that comes back in time keeps its devices")
    func back() {
        withLab { lab in
            let (attic, cellar) = (open(lab, "attic"), open(lab, "cellar"))
            attic.hear(Self.first)
            lab.time.advance(by: .seconds(1))
            die(attic)
            lab.time.advance(by: .seconds(5))
            attic.connectBroker()
            lab.time.advance(by: .seconds(20))
            #expect(cellar.store.state.devices.isEmpty)
            #expect(lab.broker.retained("sample/availability") == "online")
        }
    }
}
