import EventLoop
import HostTesting
import Messages
import Synchronization
import Testing

@testable import MQTT

@Suite("Floods of messages from a real broker", .timeLimit(.minutes(2)))
struct FloodTests {
    private static let count = 20_000
    private static let portion = 500

    /// Counts the calls of a client's handlers.
    private final class Told: Sendable {
        let messages = Mutex(0)
        let rounds = Mutex(Set<UInt64>())
    }

    @Test("The loss of the broker is reported after 20,000 messages without losing or delaying any of them")
    func messages() async throws {
        let broker = try TestBroker { $0.lines = ["max_queued_messages 100000"] }
        try await withClient(
            .local(broker.port, "receiver"), subscriptions: [TopicFilter("flood/#", qos: 0)]
        ) {
            receiver in
            let told = Told()
            let (ends, sink) = AsyncStream.makeStream(of: (messages: Int, isOnLoop: Bool).self)
            let (all, gate) = AsyncStream.makeStream(of: Void.self)
            receiver.onMessage { [loop = receiver.client.loop] _ in
                told.rounds.withLock { _ = $0.insert(loop.round) }
                let count = told.messages.withLock { count in
                    count += 1
                    return count
                }
                if count == Self.count { gate.yield() }
            }
            receiver.onEvent { [loop = receiver.client.loop] event in
                guard case .disconnected = event else { return }
                sink.yield((told.messages.withLock { $0 }, loop.isIsolated))
            }
            try await receiver.subscribed()
            try await withClient(.local(broker.port, "sender")) { sender in
                try await sender.connected()
                for number in 0..<Self.count {
                    sender.client.publish(.event("flood/\(number % 7)", "\(number)".utf8))
                    guard number % Self.portion == Self.portion - 1 else { continue }
                    #expect(await sender.client.flush(within: .seconds(20)))
                }
            }
            var arrived = all.makeAsyncIterator()
            await arrived.next()
            broker.kill()
            var iterator = ends.makeAsyncIterator()
            let end = try #require(await iterator.next())
            #expect(end.messages == Self.count)
            #expect(end.isOnLoop)
            // Sixteen reads per round: the loop's other work runs in between.
            #expect(told.rounds.withLock(\.count) > Self.count / Self.portion)
        }
    }
}
