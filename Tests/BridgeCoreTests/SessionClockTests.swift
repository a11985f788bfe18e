import BridgeTesting
import Synchronization
import Testing

@testable import BridgeContract
@testable import BridgeCore

@Suite("The clock and the life of a session")
struct SessionClockTests {
    private final class Calls: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    @Test("The clock calls once for the earliest timer, and again for the next")
    func timers() {
        let time = VirtualTime(executor: ManualExecutor())
        let calls = Calls()
        let start = time.now
        var clock = SessionClock()
        for (timer, second) in [(SessionTimer.proof, 3), (.parting, 2), (.recall, 5)] {
            clock.start(timer, at: start + .seconds(second), on: time) { calls.add() }
        }
        #expect(time.callCount == 1)
        time.advance(by: .seconds(3))
        #expect(calls.value == 1)
        let due = clock.due(at: time.now)
        #expect(due.map(\.key) == [.parting, .proof])
        // What the first one leads to may stop the second one.
        #expect(clock.take(due[0]) == true)
        clock.cancel(.proof)
        #expect(clock.take(due[1]) == false)
        clock.arm(on: time) { calls.add() }
        time.advance(by: .seconds(2))
        #expect(calls.value == 2 && clock.due(at: time.now).map(\.key) == [.recall])
    }

    @Test("A clock that was stopped does not call")
    func stop() {
        let time = VirtualTime(executor: ManualExecutor())
        let calls = Calls()
        var clock = SessionClock()
        clock.start(.proof, at: time.now + .seconds(1), on: time) { calls.add() }
        clock.stop()
        time.advance(by: .seconds(2))
        #expect(calls.value == 0)
    }

    @Test("A life goes forward only")
    func life() async {
        var life = SessionLife()
        #expect(life.advance(to: .finished) == true)
        #expect(life.advance(to: .closing) == false && life.advance(to: .finished) == false)
        #expect(life.stage == .finished)
        await withCheckedContinuation { life.resume($0, at: .closing) }
        await withCheckedContinuation { continuation in
            life.resume(continuation, at: .ended)
            _ = life.advance(to: .ended)
        }
        #expect(life.stage == .ended)
    }
}
