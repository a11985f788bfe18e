import EventLoop

/// An actor on a loop with helpers for tests.
actor LoopActor {
    let loop: EventLoop
    private(set) var log: [Int] = []

    init(on loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func append(_ number: Int) { log.append(number) }

    func isOnLoop() -> Bool { loop.isIsolated }

    func perform<Result: Sendable>(_ body: @Sendable (isolated LoopActor) throws -> Result) rethrows -> Result
    {
        try body(self)
    }

    /// Calls another actor on the same loop `count` times.
    func ask(_ other: LoopActor, count: Int) async {
        for number in 0..<count { await other.append(number) }
    }

    /// Runs `start` on the loop, which calls its closure argument once; returns the argument of that call.
    func value<Result: Sendable>(
        _ start: (EventLoop, @escaping (Result) -> Void) -> Void
    ) async -> Result {
        await withCheckedContinuation { continuation in
            start(loop) { continuation.resume(returning: $0) }
        }
    }
}
