import Bluetooth
import BridgeTesting
import DeviceKit
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("What a session tells the motion gate, and the machine of it")
struct MotionWatchTests {
    private static let limits = MotionGate.Limits(maxPathDelay: .milliseconds(300), longestLease: .seconds(1))

    /// When the stop that a gate begins with has ended.
    private static let start = Duration.milliseconds(1200)

    /// One whose way from the broker is fresh, with a link, at ``start``.
    private func settled() -> MotionWatch {
        var watch = MotionWatch(MotionGate(Self.limits, echoTopic: "bridge/attic/echo"))
        watch.brokerChanged(isConnected: true, at: .zero)
        watch.observe(.connected(LinkProfile(characteristics: [:])), at: .zero)
        watch.guarded(true)
        watch.subscriptions(missing: [], isRecallMissing: false, at: .zero)
        sendEchoes(&watch, 1...12)
        return watch
    }

    /// One echo in 100 ms.
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

    @Test("The machine hears of a block, and of its end, once")
    func block() {
        var watch = MotionWatch(MotionGate(Self.limits, echoTopic: "bridge/attic/echo"))
        #expect(inputs(&watch, at: .zero).count == 1)
        #expect(inputs(&watch, at: .zero) == [])
        watch = settled()
        #expect(inputs(&watch, at: Self.start) == ["free"])
        watch.brokerChanged(isConnected: false, at: Self.start + .milliseconds(100))
        let blocked = inputs(&watch, at: Self.start + .milliseconds(100))
        #expect(blocked.count == 1 && blocked != ["free"])
        // A new machine was told nothing.
        watch.machineReplaced()
        #expect(inputs(&watch, at: Self.start + .milliseconds(100)) == blocked)
    }

    @Test("A machine that waits for clearance gets it when it is ready, and loses it by a stop")
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

    @Test("The gate's alarm is asked for once, until its moment has passed")
    func alarm() throws {
        var watch = settled()
        let first = watch.nextAlarm()
        let moment = try #require(first)
        #expect(watch.nextAlarm() == nil)
        _ = watch.advance(to: moment)
        let second = watch.nextAlarm()
        #expect(try #require(second) >= moment)
    }

    @Test("A way that becomes late stops the device, and later takes its power")
    func late() {
        var watch = settled()
        var orders: [MotionGate.Order] = []
        for tick in 1...200 {
            orders += watch.advance(to: Self.start + .milliseconds(100 * tick)).filter { $0 != .echo }
        }
        #expect(orders.first == .stop && orders.contains(.cutPower))
    }
}
