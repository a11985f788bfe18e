import Testing

@testable import EventLoop

@Suite("Timers of a loop", .timeLimit(.minutes(1)))
struct TimerTests {
    @Test("Timers fire in the order of their deadlines, equal ones in the order of scheduling")
    func ordered() {
        let queue = TimerQueue()
        let deadlines = (0..<500).map { ($0 * 7919) % 13 }
        var fired: [(deadline: Int, number: Int)] = []
        for (number, deadline) in deadlines.enumerated() {
            _ = queue.schedule(at: .seconds(deadline)) { fired.append((deadline, number)) }
        }
        queue.fireDue(at: .seconds(5))
        #expect(fired.allSatisfy { $0.deadline <= 5 })
        #expect(queue.earliest == .seconds(6))
        queue.fireDue(at: .seconds(12))
        #expect(fired.map(\.deadline) == deadlines.sorted())
        #expect(
            zip(fired, fired.dropFirst()).allSatisfy { $0.deadline < $1.deadline || $0.number < $1.number })
        #expect(queue.count == 0)
    }

    @Test("A canceled timer is removed immediately, and the others stay in order")
    func cancellable() {
        let queue = TimerQueue()
        var fired: [Int] = []
        let timers = (0..<300).map { number in
            queue.schedule(at: .seconds((number * 31) % 101)) { fired.append((number * 31) % 101) }
        }
        for number in 0..<300 where number % 3 != 0 {
            timers[number].cancel()
            timers[number].cancel()
            #expect(!timers[number].isPending)
        }
        #expect(queue.count == 100)
        queue.fireDue(at: .seconds(1000))
        #expect(fired == stride(from: 0, to: 300, by: 3).map { ($0 * 31) % 101 }.sorted())
    }

    @Test("A timer scheduled by a handler waits for the next round, and one that it cancels does not fire")
    func handlersChangeQueue() {
        let queue = TimerQueue()
        var fired: [String] = []
        var victim: LoopTimer?
        _ = queue.schedule(at: .seconds(1)) {
            fired.append("first")
            victim?.cancel()
            _ = queue.schedule(at: .seconds(1)) { fired.append("second") }
        }
        victim = queue.schedule(at: .seconds(2)) { fired.append("victim") }
        queue.fireDue(at: .seconds(3))
        #expect(fired == ["first"])
        queue.fireDue(at: .seconds(3))
        #expect(fired == ["first", "second"])
    }

    @Test("Timers of a running loop fire in order")
    func onLoop() async throws {
        try await withLoop { loop in
            let fired: [Int] = await LoopActor(on: loop).value { loop, answer in
                var fired: [Int] = []
                for number in 0..<50 {
                    _ = loop.schedule(after: .zero) { fired.append(number) }
                }
                _ = loop.schedule(after: .milliseconds(1)) { answer(fired) }
            }
            #expect(fired == Array(0..<50))
        }
    }

    @Test("A timer never fires early")
    func notEarly() async throws {
        try await withLoop { loop in
            let start = ContinuousClock.now
            let end: ContinuousClock.Instant = await LoopActor(on: loop).value { loop, answer in
                _ = loop.schedule(after: .microseconds(3500)) { answer(.now) }
            }
            #expect(end - start >= .microseconds(3500))
        }
    }

    @Test("A timer without delay that reschedules itself does not block other work")
    func zeroDelayIsFair() async throws {
        try await withLoop { loop in
            final class Spinner {
                var isOn = true
                func spin(on loop: EventLoop) {
                    guard isOn else { return }
                    _ = loop.schedule(after: .zero) { self.spin(on: loop) }
                }
            }
            let actor = LoopActor(on: loop)
            let log: [Int] = await actor.value { loop, answer in
                let spinner = Spinner()
                spinner.spin(on: loop)
                loop.execute { actor.assumeIsolated { $0.append(1) } }
                _ = loop.schedule(after: .milliseconds(3)) {
                    spinner.isOn = false
                    answer(actor.assumeIsolated { $0.log })
                }
            }
            #expect(log == [1])
        }
    }
}
