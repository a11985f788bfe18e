import Bluetooth
import BridgeTesting
import DeviceKit
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Messages between a session, its motion gate and its state machine")
struct MotionWatchTests {
    private static let limits = MotionGate.Limits(maxPathDelay: .milliseconds(300), longestLease: .seconds(1))

    /// When the initial stop of a gate has ended.
    private static let start = Duration.milliseconds(1200)

    /// A watch at ``start``, with a link and current echoes.
    private func settled() -> MotionWatch {
        var watch = MotionWatch(MotionGate(Self.limits, echoTopic: "bridge/attic/echo"))
        watch.brokerChanged(isConnected: true, at: .zero)
        watch.observe(.connected(LinkProfile(characteristics: [:])), at: .zero)
        watch.guarded(true)
        watch.subscriptions(missing: [], isRecallMissing: false, at: .zero)
        sendEchoes(&watch, 1...12)
        return watch
    }

    /// Sends one echo per 100 ms.
    private func sendEchoes(_ watch: inout MotionWatch, _ ticks: ClosedRange<Int>) {
        for tick in ticks {
            watch.echoSent("\(tick)", at: .milliseconds(tick * 100 - 50))
            watch.echoReturned("\(tick)", at: .milliseconds(tick * 100))
        }
    }

    private func inputs(_ watch: inout MotionWatch, at now: Duration, isReady: Bool = true) -> [String] {
        var inputs: [String] = []
        while let input = watch.nextInput(at: now, isReady: isReady) {
            switch input {
            case .motionBlocked(let block): inputs.append(block?.rawValue ?? "free")
            case .cleared: inputs.append("cleared")
            default: inputs.append("another input")
            }
        }
        return inputs
    }

    @Test("The state machine is informed of a block, and of its end, once")
    func block() {
        var watch = MotionWatch(MotionGate(Self.limits, echoTopic: "bridge/attic/echo"))
        #expect(inputs(&watch, at: .zero).count == 1)
        #expect(inputs(&watch, at: .zero) == [])
        watch = settled()
        #expect(inputs(&watch, at: Self.start) == ["free"])
        watch.brokerChanged(isConnected: false, at: Self.start + .milliseconds(100))
        let blocked = inputs(&watch, at: Self.start + .milliseconds(100))
        #expect(blocked.count == 1 && blocked != ["free"])
        // A new state machine was informed of nothing.
        watch.machineReplaced()
        #expect(inputs(&watch, at: Self.start + .milliseconds(100)) == blocked)
    }

    @Test("A state machine that waits for clearance receives it when it is ready, and a stop ends the wait")
    func clearance() {
        var watch = settled()
        #expect(inputs(&watch, at: Self.start) == ["free"])
        watch.awaitClearance()
        #expect(inputs(&watch, at: Self.start, isReady: false) == [])
        #expect(inputs(&watch, at: Self.start) == ["cleared"])
        watch.awaitClearance()
        watch.observe(.stop(.reload), at: Self.start)
        #expect(inputs(&watch, at: Self.start) == ["stopped"])
        sendEchoes(&watch, 13...30)
        #expect(inputs(&watch, at: .seconds(3)) == ["free"])
    }

    @Test("The gate's alarm is requested once, until its time has passed")
    func alarm() throws {
        var watch = settled()
        let first = watch.nextAlarm()
        let moment = try #require(first)
        #expect(watch.nextAlarm() == nil)
        _ = watch.advance(to: moment)
        let second = watch.nextAlarm()
        #expect(try #require(second) >= moment)
    }

    @Test("Missing echoes stop the device, and later cut its power")
    func late() {
        var watch = settled()
        var orders: [MotionGate.Order] = []
        for tick in 1...200 {
            orders += watch.advance(to: Self.start + .milliseconds(100 * tick)).filter { $0 != .echo }
        }
        #expect(orders.first == .stop && orders.contains(.cutPower))
    }
}
