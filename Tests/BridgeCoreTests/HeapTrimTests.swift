import BridgeTesting
import DeviceKit
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Heap trims while the devices are idle")
struct HeapTrimTests {
    @Test("The heap is trimmed once after a quiet period")
    func once() {
        var rest = HeapTrim()
        #expect(rest.changed(at: .seconds(5)) == .seconds(6))
        #expect(rest.changed(at: .milliseconds(5500)) == nil)
        #expect(rest.decide(at: .seconds(6), isBusy: false) == .wait(until: .milliseconds(6500)))
        #expect(rest.decide(at: .milliseconds(6500), isBusy: false) == .tidy)
    }

    @Test("While a device is busy, the heap trim waits")
    func busy() {
        var rest = HeapTrim()
        #expect(rest.changed(at: .zero) == .seconds(1))
        #expect(rest.decide(at: .seconds(1), isBusy: true) == .wait(until: .seconds(1) + HeapTrim.patience))
        #expect(rest.decide(at: .seconds(11), isBusy: false) == .tidy)
    }

    @Test("Heap trims keep a minimum interval")
    func seldom() {
        var rest = HeapTrim()
        _ = rest.changed(at: .zero)
        #expect(rest.decide(at: .seconds(1), isBusy: false) == .tidy)
        #expect(rest.changed(at: .seconds(2)) == .seconds(1) + HeapTrim.pause)
        #expect(rest.changed(at: .seconds(61)) == nil)
        #expect(rest.decide(at: .seconds(61), isBusy: false) == .wait(until: .seconds(62)))
        #expect(rest.decide(at: .seconds(62), isBusy: false) == .tidy)
    }

    @Test("A bridge trims the heap once after its device was set up")
    func bridge() {
        withBridge { bench in
            bench.goOnline()
            let before = bench.process.returnCount
            bench.time.advance(by: .milliseconds(900))
            #expect(bench.process.returnCount == before)
            bench.time.advance(by: .milliseconds(200))
            #expect(bench.process.returnCount == before + 1)
            bench.time.advance(by: .seconds(300))
            #expect(bench.process.returnCount == before + 1)
        }
    }

    @Test("A bridge does not trim the heap while a command is in progress")
    func command() {
        withBridge { bench in
            bench.goOnline()
            let before = bench.process.returnCount
            bench.link()?.setHolding(true)
            bench.send("level", "60")
            bench.time.advance(by: .seconds(5))
            #expect(bench.process.returnCount == before)
            bench.link()?.completeNext()
            bench.time.advance(by: HeapTrim.patience)
            #expect(bench.process.returnCount == before + 1)
        }
    }

    @Test("A device that moves or has power has a deadline until it stops")
    func moving() {
        var will = WillKeeper(SampleFamily().requirements)
        #expect(!will.hasDeadline)
        let place = LinkPlace(device: "/d", characteristics: [:])
        _ = will.update(to: Will(deadline: .seconds(3)), at: place, isOwedWrites: false)
        #expect(will.hasDeadline)
        _ = will.update(to: .none, at: place, isOwedWrites: false)
        #expect(!will.hasDeadline)
    }
}
