import DeviceKit
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Timers of a session")
struct TimersTests {
    private func keys(_ queue: inout Timers<SessionTimer>, at now: Duration) -> [SessionTimer] {
        var keys: [SessionTimer] = []
        for ticket in queue.due(at: now) where queue.take(ticket) { keys.append(ticket.key) }
        return keys
    }

    @Test("The earliest timer expires first, and timers of the same time expire in the order of their start")
    func order() {
        for _ in 0..<20 {
            var queue = Timers<SessionTimer>()
            queue.start(.machine("late"), at: .seconds(3))
            for name in ["a", "b", "c", "d", "e"] { queue.start(.machine(TimerName(name)), at: .seconds(2)) }
            queue.start(.proceed, at: .seconds(1))
            #expect(queue.next == .seconds(1))
            let expected = ["a", "b", "c", "d", "e"].map { SessionTimer.machine(TimerName($0)) }
            #expect(keys(&queue, at: .seconds(2)) == [.proceed] + expected)
            #expect(queue.next == .seconds(3))
        }
    }

    @Test("A timer that is moved or canceled by an earlier one of the same moment does not expire")
    func moved() {
        var queue = Timers<SessionTimer>()
        queue.start(.machine("a"), at: .seconds(1))
        queue.start(.machine("b"), at: .seconds(1))
        queue.start(.machine("c"), at: .seconds(1))
        let due = queue.due(at: .seconds(1))
        let first = queue.take(due[0])
        queue.cancel(.machine("b"))
        queue.start(.machine("c"), at: .seconds(5))
        let (second, third) = (queue.take(due[1]), queue.take(due[2]))
        #expect(first && !second && !third)
        #expect(queue.next == .seconds(5))
    }

    @Test("A timer that is restarted immediately waits for its next turn")
    func restarted() {
        var queue = Timers<SessionTimer>()
        queue.start(.machine("a"), at: .seconds(1))
        var count = 0
        for ticket in queue.due(at: .seconds(1)) where queue.take(ticket) {
            count += 1
            queue.start(.machine("a"), at: .seconds(1))
        }
        #expect(count == 1)
        #expect(queue.next == .seconds(1))
    }
}
