import Testing

@testable import MQTT

@Suite("Topics over which a broker closes the connection")
final class TopicSuspicionTests {
    private typealias Finding = TopicSuspicion.Finding

    private var suspicion = TopicSuspicion()

    /// Ends a connection while a message on a topic is in flight alone.
    private func end(
        _ cause: TopicSuspicion.Cause, alone topic: String, after wait: Duration = .zero, at now: Duration
    ) -> Finding {
        suspicion.ended(cause, unconfirmed: [topic: 1], alone: (topic, now - wait), at: now)
    }

    /// Makes an MQTT 5 broker reject a topic.
    private func reject(_ topic: String, at now: Duration) {
        _ = suspicion.ended(.forbidden, unconfirmed: [topic: 1], alone: nil, at: now)
        suspicion.connected(at: now, random: 0)
        #expect(end(.forbidden, alone: topic, at: now) == .rejected(topic))
        suspicion.connected(at: now, random: 0)
    }

    @Test("The end of a connection makes unconfirmed topics suspects, unless its cause excludes all messages")
    func suspects() {
        check(suspicion.ended(.other, unconfirmed: ["a": 1], alone: nil, at: .zero), is: .nothing)
        #expect(!suspicion.hasSuspects)
        check(suspicion.ended(.silence, unconfirmed: ["a": 7], alone: nil, at: .zero), is: .nothing)
        #expect(suspicion.isSuspect("a") && !suspicion.isSuspect("b"))
        let wasRejected = suspicion.clear("a")
        #expect(!wasRejected && !suspicion.hasSuspects, "one message that is taken clears a topic")
    }

    @Test("A message that the broker cannot process is not cleared by another message on its topic")
    func messages() {
        _ = suspicion.ended(.blamesMessage, unconfirmed: ["a": 2], alone: nil, at: .zero)
        _ = suspicion.clear("a")
        #expect(suspicion.isSuspect("a"))
        _ = suspicion.clear("a")
        #expect(!suspicion.isSuspect("a"))
    }

    @Test("Reason 0x87 while a message is in flight alone is proof")
    func forbidden() {
        _ = suspicion.ended(.forbidden, unconfirmed: ["a": 1, "b": 1], alone: nil, at: .zero)
        #expect(end(.forbidden, alone: "a", at: .zero) == .rejected("a"))
        #expect(suspicion.isRejected("a") && !suspicion.isSuspect("a") && suspicion.isSuspect("b"))
    }

    @Test(
        "Without a reason, two ends while a message is in flight alone are proof, the second at a random time"
    )
    func silence() {
        _ = suspicion.ended(.silence, unconfirmed: ["a": 1, "b": 1], alone: nil, at: .zero)
        suspicion.connected(at: .zero, random: 0.5)
        #expect(!suspicion.isWithheld("a"))
        #expect(end(.silence, alone: "b", at: .seconds(1)) == .failure("b"))
        suspicion.connected(at: .seconds(2), random: 0.5)
        #expect(suspicion.isWithheld("a") && suspicion.isWithheld("b"))
        check(suspicion.release(at: .seconds(4.9)), is: [])
        check(suspicion.release(at: .seconds(5)), is: ["b", "a"], "that with a failure first")
        #expect(!suspicion.isWithheld("b"))
        #expect(end(.silence, alone: "b", at: .seconds(6)) == .rejected("b"))
        suspicion.connected(at: .seconds(6), random: 0)
        #expect(end(.silence, alone: "a", at: .seconds(7)) == .rejected("a"), "now it is known to do so")
    }

    @Test(
        "An end during withholding, or long after a message, proves nothing and leaves the failure in doubt"
    )
    func coincidence() {
        _ = suspicion.ended(.silence, unconfirmed: ["a": 1], alone: nil, at: .zero)
        suspicion.connected(at: .zero, random: 0)
        #expect(end(.silence, alone: "a", after: .seconds(6), at: .seconds(10)) == .nothing)
        suspicion.connected(at: .seconds(10), random: 0)
        #expect(end(.silence, alone: "a", at: .seconds(11)) == .failure("a"))
        suspicion.connected(at: .seconds(11), random: 0)
        check(suspicion.ended(.silence, unconfirmed: [:], alone: nil, at: .seconds(11.5)), is: .nothing)
        suspicion.connected(at: .seconds(12), random: 0)
        #expect(suspicion.isWithheld("a"), "not at once, when a second client may cause another")
        check(suspicion.release(at: .seconds(13)), is: ["a"])
        _ = suspicion.clear("a")
        #expect(!suspicion.hasSuspects)
    }

    @Test("An unreachable broker clears all suspects of unproven topics")
    func attemptFailed() {
        _ = suspicion.ended(.silence, unconfirmed: ["a": 1], alone: nil, at: .zero)
        suspicion.attemptFailed()
        #expect(!suspicion.hasSuspects)
    }

    @Test("A request reviews all rejected topics at once; an accepted topic is cleared")
    func asked() {
        for topic in ["a", "b"] { reject(topic, at: .zero) }
        check(suspicion.review(all: true, at: .seconds(1)), is: ["a", "b"])
        #expect(suspicion.isSuspect("a") && !suspicion.isRejected("a") && !suspicion.isWithheld("a"))
        let wasRejected = suspicion.clear("a")
        #expect(wasRejected)
        #expect(end(.silence, alone: "b", at: .seconds(2)) == .rejected("b"), "one more failure is enough")
    }

    @Test("A new connection reviews rejections that are ten minutes old, last and after a delay")
    func reconnected() {
        reject("a", at: .zero)
        for (time, isReviewed) in [(599.0, false), (600, true)] {
            _ = suspicion.ended(.other, unconfirmed: [:], alone: nil, at: .seconds(time))
            suspicion.connected(at: .seconds(time), random: 0)
            #expect(suspicion.isRejected("a") == !isReviewed && suspicion.isWithheld("a") == isReviewed)
        }
        check(suspicion.release(at: .seconds(601)), is: ["a"])
    }

    @Test(
        "On a lasting connection one topic is reviewed after an hour as a sample, then at growing intervals"
    )
    func due() {
        reject("a", at: .zero)
        reject("b", at: .seconds(1))
        var now = Duration.seconds(1)
        var hours: [Double] = []
        for _ in 0..<7 {
            let start = now
            while !suspicion.isReviewDue(at: now) { now += .seconds(60) }
            hours.append(((now - start) / .seconds(3600)).rounded())
            let reviewed = suspicion.review(all: false, at: now)
            #expect(reviewed.count == 1)
            #expect(!suspicion.isReviewDue(at: now), "not again before it is decided")
            #expect(end(.forbidden, alone: reviewed[0], at: now) == .rejected(reviewed[0]))
        }
        #expect(hours == [1, 2, 4, 8, 16, 24, 24])
        while !suspicion.isReviewDue(at: now) { now += .seconds(60) }
        let reviewed = suspicion.review(all: false, at: now)
        check(suspicion.clear(reviewed[0]), is: true)
        #expect(suspicion.isReviewDue(at: now), "the rules have changed: the other is tried at once")
    }
}
