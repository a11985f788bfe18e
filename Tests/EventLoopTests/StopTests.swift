import EventLoop
import Testing

@Suite("Stopping a loop", .timeLimit(.minutes(1)))
struct StopTests {
    @Test("Stopping completes pending work, and may be requested twice and by several tasks")
    func stopDrains() async throws {
        let loop = try EventLoop.start(name: "stop")
        let (numbers, sink) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<1000 { loop.execute { sink.yield(number) } }
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { loop.stop() } }
        }
        loop.stop()
        sink.finish()
        var received: [Int] = []
        for await number in numbers { received.append(number) }
        #expect(received == Array(0..<1000))
    }

    @Test("An actor can still be called after its loop has stopped")
    func lateJobs() async throws {
        let loop = try EventLoop.start(name: "late")
        let actor = LoopActor(on: loop)
        loop.stop()
        for number in 0..<50 { await actor.append(number) }
        #expect(await actor.log == Array(0..<50))
        #expect(await actor.isOnLoop())
    }

    @Test("Stopping releases timers and watches with the values captured by their handlers")
    func stopReleasesHandlers() async throws {
        final class Token: Sendable {}
        let loop = try EventLoop.start(name: "drop")
        let actor = LoopActor(on: loop)
        let ends = try Pipe()
        weak var timed: Token?
        weak var watched: Token?
        do {
            let (first, second) = (Token(), Token())
            (timed, watched) = (first, second)
            let descriptor = ends.readEnd
            await actor.perform { actor in
                _ = actor.loop.schedule(after: .seconds(3600)) { _ = first }
                _ = actor.loop.watch(descriptor, for: .readable) { _ in _ = second }
            }
        }
        #expect(timed != nil && watched != nil)
        loop.stop()
        #expect(timed == nil && watched == nil)
    }
}
