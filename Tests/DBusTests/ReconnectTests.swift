import DBus
import EventLoop
import HostTesting
import Logging
import Testing

@Suite("Reconnecting to a bus", .timeLimit(.minutes(1)))
struct ReconnectTests {
    @Test("The delays grow to their limit and restart after a success")
    func machine() {
        var machine = ReconnectMachine(
            backoff: .init(first: .milliseconds(100), factor: 2, limit: .milliseconds(300)))
        let steps: [(ReconnectMachine.Input, ReconnectMachine.Action, ReconnectMachine.State)] = [
            (.lost, .none, .idle), (.start, .connect, .connecting), (.start, .none, .connecting),
            (.failed, .wait(.milliseconds(100)), .waiting), (.failed, .none, .waiting),
            (.delayOver, .connect, .connecting), (.failed, .wait(.milliseconds(200)), .waiting),
            (.delayOver, .connect, .connecting), (.failed, .wait(.milliseconds(300)), .waiting),
            (.delayOver, .connect, .connecting), (.failed, .wait(.milliseconds(300)), .waiting),
            (.delayOver, .connect, .connecting), (.connected, .none, .connected),
            (.delayOver, .none, .connected), (.lost, .wait(.milliseconds(100)), .waiting),
            (.stop, .none, .stopped), (.delayOver, .none, .stopped), (.start, .none, .stopped),
        ]
        for (number, (input, action, state)) in steps.enumerated() {
            #expect(machine.handle(input) == action, "step \(number)")
            #expect(machine.state == state, "step \(number)")
        }
    }

    @Test("A program that lost its bus gets a new connection after the bus returns")
    func reconnects() async throws {
        let bus = try PrivateBus()
        let loop = try EventLoop.start(name: "dbus-test")
        let (names, sink) = AsyncStream.makeStream(of: String.self)
        let (delays, delaySink) = AsyncStream.makeStream(of: Duration.self)
        let (gates, gate) = AsyncStream.makeStream(of: Void.self)
        let reconnector = Reconnector(bus.address, loop: loop) { delay in
            delaySink.yield(delay)
            for await _ in gates { return }
        }
        let rounds = Counter()
        let task = Task {
            try await reconnector.run { connection in
                rounds.add(1)
                sink.yield(connection.uniqueName)
                if rounds.value == 1 { try await Task.sleep(for: .seconds(600)) }
            }
        }
        var name = names.makeAsyncIterator()
        var delay = delays.makeAsyncIterator()
        #expect(await name.next()?.hasPrefix(":") == true)
        bus.stop()
        #expect(await delay.next() == .milliseconds(100))
        gate.yield()
        #expect(await delay.next() == .milliseconds(200))
        try bus.start()
        gate.yield()
        #expect(await name.next()?.hasPrefix(":") == true)
        try await task.value
        #expect(rounds.value == 2)
        loop.stop()
    }

    @Test("A program that returns because of the loss of its bus gets a new connection too")
    func returnsAtLoss() async throws {
        let bus = try PrivateBus()
        let loop = try EventLoop.start(name: "dbus-test")
        let (names, sink) = AsyncStream.makeStream(of: String.self)
        let reconnector = Reconnector(bus.address, loop: loop) { _ in
            try await Task.sleep(for: .milliseconds(10))
        }
        let task = Task {
            try await reconnector.run { connection in
                sink.yield(connection.uniqueName)
                _ = try? await connection.waitForClose()
            }
        }
        var name = names.makeAsyncIterator()
        // The loss is reported in random order to the two that wait for it.
        for round in 0..<10 {
            #expect(await name.next()?.hasPrefix(":") == true, "round \(round)")
            bus.stop()
            try bus.start()
        }
        #expect(await name.next()?.hasPrefix(":") == true)
        task.cancel()
        _ = try? await task.value
        loop.stop()
    }

    @Test("An error thrown while the bus is connected ends the run, and closes the connection")
    func errorsEnd() async throws {
        struct Failure: Error {}
        try await withBus(connections: 0) { bus, loop, _ in
            let (used, sink) = AsyncStream.makeStream(of: Connection.self)
            await #expect(throws: Failure.self) {
                try await Reconnector(bus.address, loop: loop).run { connection in
                    sink.yield(connection)
                    throw Failure()
                }
            }
            var iterator = used.makeAsyncIterator()
            #expect(await iterator.next()?.isOpen == false)
        }
    }

    @Test("A canceled program closes its connection, even while it waits for the bus")
    func cancelled() async throws {
        try await withBus(connections: 0) { bus, loop, _ in
            let (used, sink) = AsyncStream.makeStream(of: Connection.self)
            let task = Task { [address = bus.address] in
                try await Reconnector(address, loop: loop).run { connection in
                    sink.yield(connection)
                    try await Task.sleep(for: .seconds(600))
                }
            }
            var iterator = used.makeAsyncIterator()
            let connection = try #require(await iterator.next())
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(await connection.isOpen == false)

            bus.stop()
            let log = LogRecord()
            let (delays, delaySink) = AsyncStream.makeStream(of: Duration.self)
            let waiting = Task { [address = bus.address] in
                let reconnector = Reconnector(address, loop: loop, logger: log.logger()) { delay in
                    delaySink.yield(delay)
                    if delay == .milliseconds(400) { try await Task.sleep(for: .seconds(600)) }
                }
                try await reconnector.run { _ in }
            }
            var delay = delays.makeAsyncIterator()
            for expected in [100, 200, 400] { #expect(await delay.next() == .milliseconds(expected)) }
            #expect(log.count(.warning, "cannot connect to the bus") == 1, "once, not for each attempt")
            #expect(log.count(.warning, "systemctl status dbus") == 1)
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }
}
