import Testing

@testable import EventLoop

@Suite("Whether a loop comes in time")
struct PunctualityTests {
    private static let limit = Duration.milliseconds(250)

    /// Asks once at the start, and then at these times on both clocks.
    private func check(
        due: Duration?, _ now: Duration, awake: Duration? = nil
    ) -> Disturbance? {
        var punctuality = Punctuality(limit: Self.limit)
        _ = punctuality.check(at: .seconds(100), awake: .seconds(40))
        punctuality.expect(by: due)
        return punctuality.check(at: now, awake: awake ?? now - .seconds(60))
    }

    @Test("A loop that is asked in time, or a little later, is not late")
    func inTime() {
        for time in [100_000, 100_099, 100_100, 100_350] {
            #expect(check(due: .milliseconds(100_100), .milliseconds(time)) == nil)
        }
    }

    @Test("Beyond the limit it is late, by the time since it was expected")
    func late() {
        #expect(
            check(due: .milliseconds(100_100), .milliseconds(100_351)) == .late(.milliseconds(251)))
        #expect(check(due: .milliseconds(100_100), .seconds(200)) == .late(.milliseconds(99_900)))
    }

    @Test("Who is not expected is never late")
    func unexpected() {
        #expect(check(due: nil, .seconds(5000)) == nil)
    }

    @Test("A sleep of the machine shows in the clock that counts it, and is no lateness besides")
    func suspended() {
        #expect(
            check(due: .milliseconds(100_100), .seconds(500), awake: .seconds(41))
                == .suspended(.seconds(399)))
        #expect(check(due: nil, .seconds(500), awake: .seconds(41)) == .suspended(.seconds(399)))
        #expect(check(due: nil, .milliseconds(100_090), awake: .milliseconds(40_000)) == nil)
    }

    @Test("It is told once")
    func once() {
        var punctuality = Punctuality(limit: Self.limit)
        _ = punctuality.check(at: .seconds(100), awake: .seconds(40))
        punctuality.expect(by: .seconds(100))
        let disturbances = [(102, 42), (102, 42), (200, 42), (200, 42)].map {
            punctuality.check(at: .seconds($0.0), awake: .seconds($0.1))
        }
        #expect(disturbances == [.late(.seconds(2)), nil, .suspended(.seconds(98)), nil])
    }

    @Test(
        "A loop that something blocks tells of it before it does what came meanwhile", .timeLimit(.minutes(1))
    )
    func blocked() async throws {
        try await withLoop { loop in
            let actor = LoopActor(on: loop)
            let order: [String] = await actor.value { loop, answer in
                var order: [String] = []
                loop.onDisturbance(limit: .milliseconds(30)) { disturbance in
                    if case .late = disturbance { order.append("late") }
                }
                loop.setPulse(true)
                _ = loop.schedule(after: .milliseconds(110)) { order.append("timer") }
                _ = loop.schedule(after: .milliseconds(200)) { answer(order) }
                // Longer than until the pulse and the timer, as a process that is stopped.
                let end = EventLoop.now + .milliseconds(180)
                while EventLoop.now < end {}
            }
            #expect(order.prefix(2) == ["late", "timer"])
        }
    }

    @Test("Who stands still in the middle of a round notices it in that round", .timeLimit(.minutes(1)))
    func blockedInside() async throws {
        let pipe = try Pipe()
        try await withLoop { loop in
            let actor = LoopActor(on: loop)
            let order: [String] = await actor.value { loop, answer in
                var order: [String] = []
                func block() {
                    let end = EventLoop.now + .milliseconds(180)
                    while EventLoop.now < end {}
                }
                loop.onDisturbance(limit: .milliseconds(30)) { disturbance in
                    if case .late = disturbance { order.append("late") }
                }
                loop.setPulse(true)
                var watch: Watch?
                watch = loop.watch(pipe.readEnd, for: .readable) { _ in
                    watch?.cancel()
                    block()
                    order.append("blocked")
                }
                // In one round with the pulse's own timer, which is due before it.
                _ = loop.schedule(after: .milliseconds(110)) {
                    order.append("timer")
                    block()
                    loop.feelPulse()
                    order.append("asked")
                    answer(order)
                }
                _ = pipe.put([1])
            }
            #expect(order == ["blocked", "late", "timer", "late", "asked"])
        }
    }
}
