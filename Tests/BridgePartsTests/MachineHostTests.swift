import Bluetooth
import BridgeTesting
import DeviceKit
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Host of a device's state machine")
struct MachineHostTests {
    private func host() -> MachineHost {
        MachineHost(SampleFamily().makeMachine(DeviceContext(address: BridgeSettings.sample)))
    }

    private func name(_ event: MachineHost.Event?) -> String? {
        switch event {
        case .input(.timer(let name), let isCounted): "\(name) \(isCounted)"
        case .stage(let stage): stage.rawValue
        case .input, nil: nil
        }
    }

    @Test("An event that arrives while another event is handled waits")
    func order() {
        var host = host()
        #expect(host.begin(.stage(.searching)) == true)
        #expect(host.begin(.input(.timer("one"), isCounted: false)) == false)
        #expect(host.begin(.stage(.connecting)) == false)
        // Without an event only the gate would be checked, which happens anyway.
        #expect(host.begin(nil) == false)
        #expect(host.isWaiting)
        #expect(name(host.next()) == "one false")
        #expect(name(host.next()) == "connecting")
        #expect(host.next() == nil && !host.isWaiting)
        host.end()
        #expect(host.begin(nil) == true)
    }

    @Test("The machine's effects follow an event")
    func effects() {
        var host = host()
        var effects = Effects()
        host.handle(.input(.connected(LinkProfile(characteristics: [:]))), at: .zero, effects: &effects)
        #expect(
            effects.list.contains { if case .subscribe(SampleFamily.status) = $0 { true } else { false } })
        #expect(host.will().writes.map(\.characteristic) == [SampleFamily.motor])
        #expect(host.isStopCertain)
    }

    @Test(
        "A machine is fresh until it receives more than the link's stage and recalled states, and after a replacement"
    )
    func fresh() {
        let news: [(MachineHost.Event, block: MotionGate.Block?)] = [
            (.input(.disconnected), nil), (.input(.stop(.brokerLost)), nil),
            (.stage(.searching), .subscription),
        ]
        for told in news {
            var host = host()
            var effects = Effects()
            host.handle(.stage(.searching), at: .zero, effects: &effects)
            host.handle(.input(.recalling(true)), at: .zero, effects: &effects)
            host.handle(.input(.recalling(false)), at: .zero, effects: &effects)
            #expect(host.isFresh)
            host.handle(told.0, block: told.block, at: .zero, effects: &effects)
            #expect(!host.isFresh)
            host.replace(SampleFamily().makeMachine(DeviceContext(address: BridgeSettings.sample)))
            #expect(host.isFresh)
        }
    }

    @Test("Emergency stops are returned in order, once, and are discarded with the machine")
    func latches() {
        var host = host()
        host.keepLatch(true)
        host.keepLatch(false)
        #expect(host.takeLatches() == [true, false])
        #expect(host.takeLatches() == [])
        host.keepLatch(true)
        host.replace(SampleFamily().makeMachine(DeviceContext(address: BridgeSettings.sample)))
        #expect(host.takeLatches() == [])
    }
}
