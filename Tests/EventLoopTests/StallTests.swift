import Testing

@testable import EventLoop

@Suite("Stalls of a loop")
struct StallTests {
    private static let limit = Duration.milliseconds(250)

    /// Asks once at the start, and then at these times on both clocks.
    private func check(
        due: Duration?, _ now: Duration, awake: Duration? = nil
    ) -> EventLoop.Stall? {
        var detector = StallDetector(limit: Self.limit)
        _ = detector.check(at: .seconds(100), awake: .seconds(40))
        detector.expect(by: due)
        return detector.check(at: now, awake: awake ?? now - .seconds(60))
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
        var detector = StallDetector(limit: Self.limit)
        _ = detector.check(at: .seconds(100), awake: .seconds(40))
        detector.expect(by: .seconds(100))
        let stalls = [(102, 42), (102, 42), (200, 42), (200, 42)].map {
            detector.check(at: .seconds($0.0), awake: .seconds($0.1))
        }
        #expect(stalls == [.late(.seconds(2)), nil, .suspended(.seconds(98)), nil])
    }

    @Test(
        "A loop that something blocks tells of it before it does what came meanwhile", .timeLimit(.minutes(1))
    )
    func blocked() async throws {
        try await withLoop { loop in
            let actor = LoopActor(on: loop)
            let order: [String] = await actor.value { loop, answer in
                var order: [String] = []
                loop.onStall(limit: .milliseconds(30)) { stall in
                    if case .late = stall { order.append("late") }
                }
                loop.detectsStalls = true
                _ = loop.schedule(after: .milliseconds(110)) { order.append("timer") }
                _ = loop.schedule(after: .milliseconds(200)) { answer(order) }
                // Longer than until the loop's own timer and this one, as a process that is stopped.
                let end = EventLoop.now + .milliseconds(180)
                while EventLoop.now < end {}
            }
            #expect(order.prefix(2) == ["late", "timer"])
        }
    }

    @Test("A stall in the middle of a round is noticed in that round", .timeLimit(.minutes(1)))
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
                loop.onStall(limit: .milliseconds(30)) { stall in
                    if case .late = stall { order.append("late") }
                }
                loop.detectsStalls = true
                var watch: Watch?
                watch = loop.watch(pipe.readEnd, for: .readable) { _ in
                    watch?.cancel()
                    block()
                    order.append("blocked")
                }
                // In one round with the loop's own timer, which is due before it.
                _ = loop.schedule(after: .milliseconds(110)) {
                    order.append("timer")
                    block()
                    loop.checkForStall()
                    order.append("asked")
                    answer(order)
                }
                _ = pipe.put([1])
            }
            #expect(order == ["blocked", "late", "timer", "late", "asked"])
        }
    }
}
