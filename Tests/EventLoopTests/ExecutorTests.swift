import EventLoop
import Glibc
import Testing

@Suite("The loop as an executor", .timeLimit(.minutes(1)))
struct ExecutorTests {
    @Test("An actor on the loop runs on the loop's thread, and the test itself does not")
    func actorRunsOnThread() async throws {
        try await withLoop { loop in
            #expect(await LoopActor(on: loop).isOnLoop())
            #expect(!loop.isIsolated)
        }
    }

    @Test("A handler may enter an actor on the loop with assumeIsolated")
    func assumeIsolatedInHandler() async throws {
        try await withLoop { loop in
            let actor = LoopActor(on: loop)
            let log = await actor.value { loop, answer in
                loop.execute { actor.assumeIsolated { $0.append(7) } }
                _ = loop.schedule(after: .zero) { answer(actor.assumeIsolated { $0.log }) }
            }
            #expect(log == [7])
        }
    }

    @Test("Work added while the loop is starting is done without another wake-up")
    func earlyWork() async throws {
        for _ in 0..<300 {
            try await withLoop { loop in
                await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
            }
        }
    }

    @Test("Two actors on one loop call each other in order")
    func actorsShareThread() async throws {
        try await withLoop { loop in
            let (asking, asked) = (LoopActor(on: loop), LoopActor(on: loop))
            await asking.ask(asked, count: 1000)
            #expect(await asked.log == Array(0..<1000))
        }
    }

    @Test("Work from many threads is complete and in each thread's order")
    func manyThreads() async throws {
        try await withLoop { loop in
            let actor = LoopActor(on: loop)
            await withTaskGroup { group in
                for producer in 0..<8 {
                    group.addTask {
                        for number in 0..<2000 {
                            loop.execute { actor.assumeIsolated { $0.append(producer * 2000 + number) } }
                        }
                    }
                }
            }
            let log = await actor.log
            #expect(log.count == 16_000)
            for producer in 0..<8 {
                let range = (producer * 2000)..<((producer + 1) * 2000)
                #expect(log.filter { range.contains($0) } == Array(range))
            }
        }
    }

    @Test("Closures keep their order among jobs and closures")
    func executeKeepsOrder() async throws {
        try await withLoop { loop in
            let actor = LoopActor(on: loop)
            for number in 0..<100 { loop.execute { actor.assumeIsolated { $0.append(number) } } }
            #expect(await actor.log == Array(0..<100))
        }
    }

    @Test("The time since boot increases")
    func nowRuns() {
        let first = EventLoop.now
        #expect(EventLoop.now >= first)
        #expect(first > .zero)
    }
}
