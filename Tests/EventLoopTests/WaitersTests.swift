import EventLoop
import Testing

@Suite("Waiting for conditions", .timeLimit(.minutes(1)))
struct WaitersTests {
    @Test("A wait ends when its condition holds at a check, and other waits continue")
    func check() async throws {
        try await withLoop { loop in
            let gate = Gate(on: loop)
            async let first = gate.wait(for: 1)
            async let second = gate.wait(for: 2)
            await gate.whenWaiting(2)
            await gate.set(1)
            #expect(await first)
            #expect(await gate.count == 1)
            await gate.set(2)
            #expect(await second)
            #expect(await gate.count == 0)
        }
    }

    @Test("A condition that already holds ends the wait immediately")
    func already() async throws {
        try await withLoop { loop in
            let gate = Gate(on: loop)
            await gate.set(5)
            #expect(await gate.wait(for: 5))
            #expect(await gate.count == 0)
        }
    }

    @Test("A wait ends at its time limit, never earlier")
    func limit() async throws {
        try await withLoop { loop in
            let gate = Gate(on: loop)
            let begin = EventLoop.now
            #expect(await !gate.wait(for: 1, upTo: .milliseconds(20)))
            #expect(EventLoop.now - begin >= .milliseconds(20))
            #expect(await gate.count == 0)
        }
    }

    @Test("A canceled task stops waiting, whenever it is canceled", arguments: 0..<12)
    func cancellation(rounds: Int) async throws {
        try await withLoop { loop in
            let gate = Gate(on: loop)
            let task = Task { await gate.wait(for: 1) }
            for _ in 0..<rounds { _ = await gate.count }
            task.cancel()
            #expect(await !task.value)
            #expect(await gate.count == 0)
        }
    }

    @Test("A wait that is not cancellable continues in a canceled task")
    func uncancellable() async throws {
        try await withLoop { loop in
            let gate = Gate(on: loop)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await gate.wait(for: 1, isCancellable: false)
            }
            await gate.whenWaiting(1)
            await gate.set(1)
            #expect(await task.value)
        }
    }
}

/// A number that tasks wait for.
private actor Gate {
    private let loop: EventLoop
    private let waiters: Waiters
    private let observers: Waiters
    private var value = 0
    private(set) var count = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: EventLoop) {
        self.loop = loop
        waiters = Waiters(on: loop)
        observers = Waiters(on: loop)
    }

    func set(_ value: Int) {
        self.value = value
        waiters.check()
    }

    func wait(for value: Int, upTo limit: Duration? = nil, isCancellable: Bool = true) async -> Bool {
        count += 1
        observers.check()
        defer { count -= 1 }
        return await waiters.wait(upTo: limit, isCancellable: isCancellable) { self.value == value }
    }

    /// Waits until this number of tasks are waiting.
    func whenWaiting(_ number: Int) async { _ = await observers.wait { self.count == number } }
}
