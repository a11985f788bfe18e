import Bluetooth
import DBus
import EventLoop
import Testing

@testable import BlueZ

@Suite("Operations on the loop's thread, with a scripted bluetoothd", .timeLimit(.minutes(1)))
struct PerformTests {
    /// An observed step of an operation.
    enum Observation: Equatable, Sendable {
        /// `perform` returned for the operation with this number.
        case returned(Int)
        /// The operation with this number ended, on the loop's thread or not.
        case ended(Int, [UInt8], onLoop: Bool)
        case failed(Int, BlueZError.Code, onLoop: Bool)
        case lost(String)
    }

    private let observations: AsyncStream<Observation>
    private let sink: AsyncStream<Observation>.Continuation

    init() { (observations, sink) = AsyncStream.makeStream() }

    /// Performs operations one after another in one job of the loop.
    private func perform(
        _ operations: LinkOperation..., on link: Link, of scope: BlueZScope,
        while isWanted: @escaping @Sendable () -> Bool = { true }
    ) {
        let (sink, loop, client) = (sink, scope.loop, scope.client)
        loop.execute {
            client.assumeIsolated { client in
                for (index, operation) in operations.enumerated() {
                    client.perform(operation, link: link.number, while: isWanted) { result in
                        switch result {
                        case .success(let value): sink.yield(.ended(index, value, onLoop: loop.isIsolated))
                        case .failure(let error):
                            sink.yield(.failed(index, error.code, onLoop: loop.isIsolated))
                        }
                    }
                    sink.yield(.returned(index))
                }
            }
        }
    }

    /// Returns the next observations; fewer if the test has finished them.
    private func next(_ count: Int) async -> [Observation] {
        var seen: [Observation] = []
        for await observation in observations {
            seen.append(observation)
            if seen.count == count { break }
        }
        return seen
    }

    @Test("Each operation ends once, on the loop's thread, and a read returns its value")
    func each() async throws {
        try await withLink { scope, link, _ in
            perform(
                .write(Write(BlueZScope.command, [1], .withResponse)), .read(BlueZScope.value), on: link,
                of: scope)
            let seen = await next(4)
            #expect(
                seen == [
                    .returned(0), .returned(1), .ended(0, [], onLoop: true), .ended(1, [7], onLoop: true),
                ])
            perform(.subscribe(BlueZScope.value), .unsubscribe(BlueZScope.value), on: link, of: scope)
            let subscriptions = await next(4)
            #expect(Set(subscriptions.suffix(2).map(\.number)) == [0, 1])
            #expect(
                await scope.fake.calls(among: ["char0011 StartNotify", "char0011 StopNotify"])
                    == ["char0011 StartNotify", "char0011 StopNotify"])
            sink.finish()
            #expect(await next(1) == [])
        }
    }

    @Test("An operation that cannot be sent fails before perform returns")
    func atOnce() async throws {
        try await withLink { scope, link, _ in
            perform(.read(CharacteristicID(service: 0xFE51, uuid: 0x00FF)), on: link, of: scope)
            #expect(await next(2) == [.failed(0, .notSupported, onLoop: true), .returned(0)])
            perform(.write(Write(BlueZScope.command, [1], .withResponse)), on: link, of: scope) { false }
            #expect(await next(2) == [.failed(0, .cancelled, onLoop: true), .returned(0)])
            await link.disconnect()
            perform(.read(BlueZScope.value), on: link, of: scope)
            #expect(await next(2) == [.failed(0, .notConnected, onLoop: true), .returned(0)])
        }
    }

    @Test("A stop is sent while a request on its characteristic is in flight")
    func stop() async throws {
        try await withLink { scope, link, _ in
            await scope.fake.on("WriteValue") { fake, call, answer in
                guard call.arguments.first == .bytes([1]) else { return answer.succeed() }
                fake.heldAnswers.append(answer)
            }
            perform(
                .write(Write(BlueZScope.command, [1], .withResponse)),
                .write(Write(BlueZScope.command, [0], .withoutResponse)), on: link, of: scope)
            #expect(await next(3) == [.returned(0), .returned(1), .ended(1, [], onLoop: true)])
            await scope.fake.releaseHeldAnswers()
            #expect(await next(1) == [.ended(0, [], onLoop: true)])
        }
    }

    @Test("A lost link ends its operations in order, once, before its loss is reported")
    func lost() async throws {
        try await withBlueZ { scope in
            try await scope.add()
            let link = try await scope.client.connect(BlueZScope.belt, requirements: ConnectTests.needs) {
                [sink] in
                if case .lost(let reason) = $0 { sink.yield(.lost(reason)) }
            }
            await scope.fake.on("WriteValue") { fake, _, answer in fake.heldAnswers.append(answer) }
            await scope.fake.on("ReadValue") { fake, _, answer in
                answer.refuse("InProgress")
            }
            perform(
                .write(Write(BlueZScope.command, [1], .withResponse)), .read(BlueZScope.value), on: link,
                of: scope)
            await scope.fake.waitForCall("char0011 ReadValue", count: 2)
            try await scope.fake.signalDisconnected("org.bluez.Reason.Timeout", of: BlueZScope.belt)
            await scope.fake.set(["Connected": .bool(false)], ofDevice: FakeBlueZ.device(BlueZScope.belt))
            let seen = await next(5)
            #expect(
                seen.suffix(3) == [
                    .failed(0, .notConnected, onLoop: true), .failed(1, .notConnected, onLoop: true),
                    .lost("out of range: the link timed out"),
                ])
            // Later answers must have no effect.
            await scope.fake.releaseHeldAnswers()
            _ = await scope.client.isMakingProgress()
            sink.finish()
            #expect(await next(1) == [])
        }
    }

    @Test("An operation without an answer ends after its time limit")
    func timeLimit() async throws {
        try await withLink({ $0.limits.operation = .milliseconds(50) }) { scope, link, _ in
            await scope.fake.on("ReadValue") { fake, _, answer in fake.heldAnswers.append(answer) }
            perform(.read(BlueZScope.value), on: link, of: scope)
            #expect(await next(2) == [.returned(0), .failed(0, .timeout, onLoop: true)])
        }
    }
}

extension PerformTests.Observation {
    fileprivate var number: Int {
        switch self {
        case .returned(let number), .ended(let number, _, _), .failed(let number, _, _): number
        case .lost: -1
        }
    }
}
