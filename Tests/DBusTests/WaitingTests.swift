import DBus
import EventLoop
import HostTesting
import Testing

@Suite("Waiting on a connection", .timeLimit(.minutes(1)))
struct WaitingTests {
    enum Wait: CaseIterable, Sendable {
        case close
        case flush
        case answer
    }

    enum Turn: CaseIterable, Sendable {
        case cancelled
        case closed
    }

    /// A task that does not prefer the loop's thread is queued there several times before its wait starts.
    @Test(
        "A wait ends whenever it is canceled or the connection is closed, even before it has started",
        arguments: Wait.allCases, Turn.allCases)
    func atAnyMoment(wait: Wait, turn: Turn) async throws {
        try await withBus(connections: 0) { bus, loop, _ in
            for rounds in 0..<16 {
                let connection = try await Connection.open(bus.address, loop: loop)
                bus.setHalted(true)
                defer { bus.setHalted(false) }
                // More data than the socket accepts, so that there is something to flush.
                let much = Value.bytes([UInt8](repeating: 0, count: 4_000_000))
                try await connection.send(Message(signal: "Much", of: "test.Much", at: "/", [much]))
                let waiter = Waiter(for: wait, on: connection)
                loop.execute {
                    waiter.assumeIsolated { $0.start() }
                    after(rounds, on: loop) {
                        switch turn {
                        case .cancelled: waiter.assumeIsolated { $0.cancel() }
                        case .closed: connection.assumeIsolated { $0.close() }
                        }
                    }
                }
                var ends = waiter.ends.makeAsyncIterator()
                let end = try #require(await ends.next(), "after \(rounds) rounds")
                switch (wait, turn) {
                case (_, .cancelled): #expect(end == "cancelled")
                case (.close, .closed): #expect(end == "done")
                case (_, .closed): #expect(end == "closed")
                }
                await connection.close()
            }
        }
    }

    /// Runs a closure after this number of passes through the loop's queue.
    private func after(_ rounds: Int, on loop: EventLoop, _ body: @escaping @Sendable () -> Void) {
        guard rounds > 0 else { return body() }
        loop.execute { after(rounds - 1, on: loop, body) }
    }
}

/// Waits in its own task, which starts on the connection's loop, and reports the result.
private actor Waiter {
    private let wait: WaitingTests.Wait
    private let connection: Connection
    private let sink: AsyncStream<String>.Continuation
    private var task: Task<Void, Never>?
    nonisolated let ends: AsyncStream<String>

    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

    init(for wait: WaitingTests.Wait, on connection: Connection) {
        self.wait = wait
        self.connection = connection
        (ends, sink) = AsyncStream.makeStream()
    }

    func start() { task = Task { await run() } }

    func cancel() { task?.cancel() }

    private func run() async {
        do {
            switch wait {
            case .close: _ = try await connection.waitForClose()
            case .flush: try await connection.flush()
            case .answer: _ = try await connection.owner(of: "test.name")
            }
            sink.yield("done")
        } catch is CancellationError {
            sink.yield("cancelled")
        } catch {
            sink.yield((error as? DBusError)?.code == .closed ? "closed" : "\(error)")
        }
    }
}
