import EventLoop
import Glibc
import Testing

// Serialized, because some tests use a descriptor number that no other test may get, and some use many numbers.
@Suite("Watched descriptors", .serialized, .timeLimit(.minutes(1)))
struct DescriptorTests {
    @Test("A regular file is ready in every round, although epoll does not support it")
    func file() async throws {
        try await withLoop { loop in
            let actor = LoopActor(on: loop)
            let calls: [Readiness] = await actor.value { loop, answer in
                let file = open("/dev/null", O_RDWR)
                var calls: [Readiness] = []
                var watch: Watch?
                watch = loop.watch(file, for: .readable) { readiness in
                    calls.append(readiness)
                    if calls.count == 2 { watch?.interest = .writable }
                    guard calls.count == 3 else { return }
                    watch?.cancel()
                    watch = nil
                    close(file)
                    // One round later: the watch must not be called again.
                    _ = loop.schedule(after: .milliseconds(2)) { answer(calls) }
                }
            }
            #expect(calls == [.readable, .readable, .writable])
        }
    }

    /// The other number is so high that no test of another suite gets it at the same time.
    @Test("A descriptor that is not open fails once", arguments: [-1, 900])
    func closed(_ least: CInt) async throws {
        try await withLoop { loop in
            let actor = LoopActor(on: loop)
            let calls: [Readiness] = await actor.value { loop, answer in
                let number = least < 0 ? least : fcntl(STDERR_FILENO, F_DUPFD, least)
                close(number)
                var calls: [Readiness] = []
                _ = loop.watch(number, for: .readable) { calls.append($0) }
                _ = loop.schedule(after: .milliseconds(5)) { answer(calls) }
            }
            #expect(calls == [.failed])
        }
    }

    @Test("A handler of a failed descriptor may open and watch the same number immediately")
    func mended() async throws {
        try await withLoop { loop in
            let ends = try Pipe()
            let actor = LoopActor(on: loop)
            let calls: [Readiness] = await actor.value { loop, answer in
                let number = fcntl(STDERR_FILENO, F_DUPFD, 900)
                close(number)
                var calls: [Readiness] = []
                var mended: Watch?
                _ = loop.watch(number, for: .readable) { readiness in
                    calls.append(readiness)
                    dup2(ends.readEnd, number)
                    mended = loop.watch(number, for: .readable) { readiness in
                        calls.append(readiness)
                        mended?.cancel()
                        mended = nil
                        close(number)
                        answer(calls)
                    }
                    _ = ends.put([1])
                }
            }
            #expect(calls == [.failed, .readable])
        }
    }

    @Test("A reused descriptor number receives only events of the new file")
    func reused() async throws {
        try await withLoop { loop in
            let (first, other) = (try Pipe(), try Pipe())
            let actor = LoopActor(on: loop)
            let calls: [String] = await actor.value { loop, answer in
                var calls: [String] = []
                var watches: [Watch] = []
                let number = dup(other.readEnd)
                func replace() {
                    watches.removeLast().cancel()
                    // The number now refers to a pipe without data.
                    let next = try? Pipe()
                    dup2(next?.readEnd ?? -1, number)
                    watches.append(
                        loop.watch(number, for: .readable) { _ in
                            calls.append("new")
                            for watch in watches { watch.cancel() }
                            watches = []
                            close(number)
                            answer(calls)
                        })
                    _ = loop.schedule(after: .milliseconds(3)) {
                        calls.append("written")
                        _ = next?.put([1])
                    }
                }
                watches.append(
                    loop.watch(first.readEnd, for: .readable) { _ in
                        calls.append("first")
                        _ = first.take(1)
                        replace()
                    })
                watches.append(loop.watch(number, for: .readable) { _ in calls.append("old") })
                // Both are ready in one round, and the handler of the first replaces the second.
                _ = first.put([1])
                _ = other.put([1])
            }
            #expect(calls == ["first", "written", "new"])
        }
    }

    @Test("A watched descriptor that was closed and opened again without notice is watched again")
    func reopened() async throws {
        try await withLoop { loop in
            let (former, next) = (try Pipe(), try Pipe())
            let actor = LoopActor(on: loop)
            let calls: [String] = await actor.value { loop, answer in
                var calls: [String] = []
                var watches: [Watch] = []
                let number = dup(former.readEnd)
                watches.append(loop.watch(number, for: .readable) { _ in calls.append("former") })
                _ = loop.schedule(after: .milliseconds(2)) {
                    dup2(next.readEnd, number)
                    watches.append(
                        loop.watch(number, for: .readable) { _ in
                            calls.append("next")
                            for watch in watches { watch.cancel() }
                            watches = []
                            close(number)
                            answer(calls)
                        })
                    watches[0].cancel()
                    _ = next.put([1])
                }
            }
            #expect(calls == ["next"])
        }
    }

    @Test("All ready descriptors are reported, whatever their number")
    func many() async throws {
        try await withLoop { loop in
            let pipes = try (0..<80).map { _ in try Pipe() }
            let actor = LoopActor(on: loop)
            let rounds: Set<UInt64> = await actor.value { loop, answer in
                var rounds: Set<UInt64> = []
                var (watches, told): ([Watch], Set<CInt>) = ([], [])
                for ends in pipes {
                    watches.append(
                        loop.watch(ends.readEnd, for: .readable) { _ in
                            rounds.insert(loop.round)
                            guard told.insert(ends.readEnd).inserted, told.count == pipes.count else {
                                return
                            }
                            for watch in watches { watch.cancel() }
                            watches = []
                            answer(rounds)
                        })
                    _ = ends.put([1])
                }
            }
            #expect(rounds.count == 2)
        }
    }

    @Test("The cost of a round is the same with three watches and with two hundred")
    func growth() async throws {
        try await withLoop { loop in
            let ends = try Pipe()
            let actor = LoopActor(on: loop)
            var costs: [Int: Duration] = [:]
            for _ in 0..<5 {
                for count in [3, 200] {
                    let cost = await actor.value {
                        Self.cost(ofRounds: 1000, watches: count, of: ends, $0, $1)
                    }
                    costs[count] = min(cost, costs[count] ?? cost)
                }
            }
            let (few, many) = (try #require(costs[3]), try #require(costs[200]))
            #expect(many < few * 1.5)
        }
    }

    /// Measures the thread's CPU time for rounds in which no descriptor is ready.
    private static func cost(
        ofRounds rounds: Int, watches count: Int, of ends: Pipe, _ loop: EventLoop,
        _ answer: @escaping (Duration) -> Void
    ) {
        let numbers = (0..<count).map { _ in dup(ends.readEnd) }
        let watches = numbers.map { loop.watch($0, for: .readable) { _ in } }
        var left = rounds
        var begin = Duration.zero
        func round() {
            if left == rounds { begin = spent() }
            left -= 1
            guard left < 0 else {
                _ = loop.schedule(after: .zero) { round() }
                return
            }
            let cost = spent() - begin
            for watch in watches { watch.cancel() }
            for number in numbers { close(number) }
            answer(cost)
        }
        _ = loop.schedule(after: .zero) { round() }
    }

    /// The CPU time of this thread.
    private static func spent() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
