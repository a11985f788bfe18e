import Testing

@testable import EventLoop

@Suite("Stalls of a loop")
struct StallTests {
    private static let limit = Duration.milliseconds(250)

    /// Checks once at the start, and then at these times on both clocks.
    private func check(
        due: Duration?, _ now: Duration, awake: Duration? = nil
    ) -> EventLoop.Stall? {
        var detector = StallDetector(limit: Self.limit)
        _ = detector.check(at: .seconds(100), awake: .seconds(40))
        detector.expect(by: due)
        return detector.check(at: now, awake: awake ?? now - .seconds(60))
    }

    @Test("A check in time, or slightly late, reports no stall")
    func inTime() {
        for time in [100_000, 100_099, 100_100, 100_350] {
            #expect(check(due: .milliseconds(100_100), .milliseconds(time)) == nil)
        }
    }

    @Test("A check beyond the limit reports the delay since it was due")
    func late() {
        #expect(
            check(due: .milliseconds(100_100), .milliseconds(100_351)) == .late(.milliseconds(251)))
        #expect(check(due: .milliseconds(100_100), .seconds(200)) == .late(.milliseconds(99_900)))
    }

    @Test("Without a due time no delay is reported")
    func unexpected() {
        #expect(check(due: nil, .seconds(5000)) == nil)
    }

    @Test("A suspend is detected from the clock that includes it, and is not reported as a delay too")
    func suspended() {
        #expect(
            check(due: .milliseconds(100_100), .seconds(500), awake: .seconds(41))
                == .suspended(.seconds(399)))
        #expect(check(due: nil, .seconds(500), awake: .seconds(41)) == .suspended(.seconds(399)))
        #expect(check(due: nil, .milliseconds(100_090), awake: .milliseconds(40_000)) == nil)
    }

    @Test("A stall is reported once")
    func once() {
        var detector = StallDetector(limit: Self.limit)
        _ = detector.check(at: .seconds(100), awake: .seconds(40))
        detector.expect(by: .seconds(100))
        let stalls = [(102, 42), (102, 42), (200, 42), (200, 42)].map {
            detector.check(at: .seconds($0.0), awake: .seconds($0.1))
        }
        #expect(stalls == [.late(.seconds(2)), nil, .suspended(.seconds(98)), nil])
    }

    @Test("A blocked loop reports the stall before it handles later events", .timeLimit(.minutes(1)))
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
                // Longer than until the loop's own timer and this one, like a stopped process.
                let end = EventLoop.now + .milliseconds(180)
                while EventLoop.now < end {}
            }
            #expect(order.prefix(2) == ["late", "timer"])
        }
    }

    @Test("A stall in the middle of a round is detected in that round", .timeLimit(.minutes(1)))
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
                // In the same round as the loop's own timer, which is due first.
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
