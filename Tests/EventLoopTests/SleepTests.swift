import EventLoop
import Testing

@Suite("Tasks on a loop")
struct SleepTests {
    @Test("Tasks that prefer the loop, and their children, run on its thread")
    func preference() async throws {
        let loop = try EventLoop.start(name: "preference")
        let wasOnLoop = await withTaskExecutorPreference(loop) {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        await Task.yield()
                        return loop.isIsolated
                    }
                }
                return await group.reduce(true) { $0 && $1 }
            }
        }
        #expect(wasOnLoop)
        loop.stop()
    }

    @Test("A sleep ends at its time, never earlier, and immediately if the time has passed")
    func sleep() async throws {
        let loop = try EventLoop.start(name: "sleep")
        let end = EventLoop.now + .milliseconds(20)
        try await loop.sleep(until: end)
        #expect(EventLoop.now >= end)
        try await loop.sleep(until: end - .seconds(5))
        loop.stop()
    }

    @Test("A canceled sleep ends immediately with an error")
    func cancellation() async throws {
        let loop = try EventLoop.start(name: "cancellation")
        let begin = EventLoop.now
        let task = Task { try await loop.sleep(until: begin + .seconds(10_000)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(EventLoop.now - begin < .seconds(5000))
        loop.stop()
    }
}
