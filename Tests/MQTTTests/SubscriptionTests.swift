import EventLoop
import HostTesting
import Logging
import Messages
import Synchronization
import Testing

@testable import MQTT

@Suite("Refused subscriptions", .timeLimit(.minutes(1)))
struct SubscriptionTests {
    /// Returns a broker that answers each SUBSCRIBE with the next of these codes, and later with the last one.
    private func broker(_ codes: UInt8...) -> ScriptedBroker {
        let answers = Mutex(codes)
        return ScriptedBroker { packet in
            guard packet.type == 8 else { return .usual }
            let code = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return .send(packet.subscribeAnswer([code]))
        }
    }

    @Test(
        "A refused subscription is retried until it is granted; both events are reported and logged once",
        arguments: [(Configuration.Version.v5, 0x87), (.v311, 0x80)] as [(Configuration.Version, UInt8)])
    func retried(version: Configuration.Version, code: UInt8) async throws {
        let broker = broker(code, code, 0)
        let configuration = Configuration.local(broker.port, "retry", version)
        try await withClient(configuration, subscriptions: [TopicFilter("a/stop")]) { running in
            var told: [String] = []
            for await event in running.events {
                switch event {
                case .subscribeRefused(let filter, let reason):
                    told.append("refused \(filter) \(reason.code ?? 0)")
                    #expect(await running.client.statistics.missingSubscriptions == ["a/stop"])
                case .subscribed(let filter, let qos): told.append("granted \(filter) \(qos)")
                default: continue
                }
                if told.count == 2 { break }
            }
            #expect(told == ["refused a/stop \(code)", "granted a/stop 0"])
            #expect(await running.client.statistics.missingSubscriptions.isEmpty)
            #expect(running.log.count(.error, "a/stop") == 1 && running.log.count(.notice, "a/stop") == 1)
        }
    }

    @Test("A new connection reports missing subscriptions without logging; a reload retries them immediately")
    func reconnected() async throws {
        let broker = broker(0x87, 0x87, 0)
        try await withClient(.local(broker.port, "anew"), subscriptions: [TopicFilter("a")]) { running in
            for _ in 0..<2 {
                for await case .subscribeRefused("a", _) in running.events { break }
                running.client.reconnect()
            }
            for await case .subscribed("a", _) in running.events { break }
            #expect(running.log.count(.error, "refused a subscription") == 1)
        }
        let second = self.broker(0x87, 0)
        try await withClient(.local(second.port, "asked"), subscriptions: [TopicFilter("a")]) { running in
            for await case .subscribeRefused("a", _) in running.events { break }
            let start = EventLoop.now
            running.client.retryRefused()
            for await case .subscribed("a", _) in running.events { break }
            #expect(EventLoop.now - start < .milliseconds(900))
        }
    }

    @Test(
        "Subscriptions share packets of eight filters, and each is granted or refused separately",
        arguments: [Configuration.Version.v5, .v311])
    func shared(version: Configuration.Version) async throws {
        let broker = ScriptedBroker { packet in
            guard packet.type == 8 else { return .usual }
            return .send(
                packet.subscribeAnswer(
                    packet.filters.map { $0.hasSuffix("7") ? 0x80 : packet.filters.count == 8 ? 1 : 0 }))
        }
        let configuration = Configuration.local(broker.port, "many", version)
        let wanted = (0..<20).flatMap { [TopicFilter("a/\($0)"), TopicFilter("b/\($0)", qos: 0)] }
        try await withClient(configuration, subscriptions: wanted) { running in
            var answers: [String: Int?] = [:]
            for await event in running.events {
                switch event {
                case .subscribed(let filter, let qos): answers[filter] = .some(qos)
                case .subscribeRefused(let filter, _): answers[filter] = .some(nil)
                default: continue
                }
                if answers.count == wanted.count { break }
            }
            // For each kind, two packets of eight and one with the rest.
            for root in ["a", "b"] {
                for number in 0..<20 {
                    let expected: Int? = number % 10 == 7 ? nil : number < 16 ? 1 : 0
                    #expect(answers["\(root)/\(number)"] == .some(expected), "\(root)/\(number)")
                }
            }
        }
    }

    @Test("A removed subscription is not retried, and its answer is not reported")
    func unwanted() async throws {
        let broker = broker(0x87, 0)
        try await withClient(.local(broker.port, "unwanted"), subscriptions: [TopicFilter("a")]) { running in
            for await case .subscribeRefused("a", _) in running.events { break }
            running.client.unsubscribe(["a"])
            #expect(await running.client.statistics.missingSubscriptions.isEmpty)
            running.client.retryRefused()
            running.client.subscribe([TopicFilter("b")])
            for await case .subscribed(let filter, _) in running.events {
                #expect(filter == "b")
                break
            }
        }
    }

    @Test("The delays double from 1 s up to 30 s, and are randomized")
    func waits() {
        for (random, expected) in [(0.0, [1.0, 2, 4, 8, 15, 15]), (1, [2, 4, 8, 16, 30, 30])] {
            var subscriptions = Subscriptions()
            let filter = TopicFilter("a")
            _ = subscriptions.add(filter)
            var waits: [Double] = []
            for number in 0..<6 {
                let refusal = subscriptions.refused("a", at: .seconds(100), random: random)
                #expect(refusal?.isNew == (number == 0) && refusal?.isNewHere == (number == 0))
                waits.append(((subscriptions.nextDue ?? .zero) - .seconds(100)) / .seconds(1))
                check(subscriptions.takeDue(at: .seconds(100.5)), is: [])
                check(subscriptions.takeDue(at: .seconds(131)), is: [filter])
                check(subscriptions.takeDue(at: nil), is: [], "its answer is awaited")
            }
            #expect(waits == expected)
            subscriptions.disconnected()
            let again = subscriptions.refused("a", at: .zero, random: random)
            #expect(again?.isNew == false && again?.isNewHere == true && subscriptions.refused == ["a"])
            check(["a", "a", "b"].map { subscriptions.granted($0) }, is: [true, false, nil])
            #expect(subscriptions.refused.isEmpty)
        }
    }
}
