import Bluetooth
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Logging
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Families in the roster")
struct RosterFamilyTests {
    private static let first: Address = "C0:FF:EE:00:BE:01"
    private static let second: Address = "C0:FF:EE:00:BE:02"

    @Test("The roster does not change the family of a hazardous device or of a device that was online")
    func family() {
        withLab { lab in
            var other = SampleFamily()
            other.name = "other"
            let roller = RollerFamily()
            let robot = BridgeState.Device(address: Self.second, family: roller.name, name: "rover")
            let bench = lab.bridge(
                .empty(join: .always), families: [SampleFamily(), other, roller],
                store: MemoryStore(BridgeState(devices: [robot])))
            bench.connectBroker()
            bench.hear(Self.first)
            lab.time.advance(by: .seconds(1))
            #expect(bench.availability("sample") == "online")
            let links = bench.radio.links(Self.first).count
            for (address, name) in [(Self.first, "left"), (Self.second, "rover")] {
                lab.broker.send(
                    "roster/\(address.digits)",
                    #"{"v":1,"name":"\#(name)","family":"other","by":"x","time":"2026-01-31T12:00:00.000Z"}"#,
                    retain: true)
                lab.executor.drain()
            }
            lab.time.advance(by: .seconds(1))
            #expect(bench.availability("sample") == "online")
            #expect(bench.radio.links(Self.first).count == links)
            #expect(bench.link(Self.first)?.disconnects == 0)
            let families = bench.store.state.devices.map { ($0.address, $0.family) }
            let expected = [Self.first: "sample", Self.second: roller.name]
            #expect(Dictionary(uniqueKeysWithValues: families) == expected)
            #expect(bench.log.count(.warning, "another family") == 2)
        }
    }
}
