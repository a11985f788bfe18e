import Bluetooth
import BridgeTesting
import Claims
import DeviceKit
import HostTesting
import JSON

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

/// Creates sessions without a bridge.
struct LoneSessions {
    private let executor = ManualExecutor()

    func make(
        _ name: String, _ address: Address, family: any DeviceFamily = SampleFamily(), number: Int = 1
    ) -> DeviceSession {
        let time = VirtualTime(executor: executor)
        return DeviceSession(
            name: name, address: address, family: family, features: FeatureTable(family), settings: [:],
            memory: [:], latch: .clear, isConfigured: false,
            context: DeviceSession.Context(
                radio: FakeRadio(executor: executor, adapter: "hci0"),
                broker: FakeBroker(executor: executor, time: time).client("attic"),
                latches: MemoryLatchStore(executor: executor), time: time,
                expiryClock: ExpiryClock(time: time) {}, guardian: FakeGuardian(executor: executor),
                topics: Topics(bridge: "attic", baseTopic: ""),
                logger: LogRecord().logger(), enter: DeviceSession.Entrance(bridge: nil, number: number),
                neighbors: .none, slots: AdapterSlots(), preferred: { [] }, moves: { BridgeSettings.Moves() },
                mayClaim: { true }, sharesAdapter: { _, _ in false },
                restoredState: { ([:], .clear) },
                collected: { _, _ in }, changed: { _ in }))
    }
}
