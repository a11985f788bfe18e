/// Detects the topic because of which the broker closes the connection, and suspends the topic.
///
/// Some brokers react to a forbidden publish by closing the connection: with DISCONNECT 0x87 in MQTT 5, and without a
/// reason in 3.1.1. There a lost network or a second client with the same client id looks the same. So:
///
/// 1. Topics with unconfirmed messages at the end of a connection are suspects.
/// 2. On the next connection a message on a suspect topic is sent alone: no other message is unconfirmed at that time.
///    After the broker confirms a message on the topic, it is no longer a suspect. Other topics are not delayed.
/// 3. If the connection ends while such a message is in flight, 0x87 is proof. An end without a reason is a failure:
///    the suspects are withheld for a random time of some seconds, which shows whether the connection lasts without
///    them, and the topic is tried again. The second failure is proof; for a broker known to behave so, the first.
/// 4. A proven topic is rejected: nothing is sent on it until a review. Reviews take place on request, at a reconnect
///    after ten minutes or more, and after an hour of a connection (with growing intervals of up to a day). The client
///    has to allow the latter, because a review may cost the connection.
///
/// A second client with the same client id closes connections at random moments. To cause a rejection, it would have to
/// hit the single round trip of one topic twice, the second time after a random delay.
struct TopicSuspicion {
    /// The cause of a connection's end.
    enum Cause: Equatable {
        /// The broker reported that a message was forbidden.
        case forbidden
        /// The broker reported that it cannot process a message: the cause is the message, not its topic.
        case blamesMessage
        /// The connection ended without a reason.
        case silence
        /// A cause unrelated to messages.
        case other

        /// - Parameter error: The error; nil if this side ended the connection.
        init(_ error: MQTTError?) {
            switch error?.code {
            case _? where error?.blamesMessage == true: self = .blamesMessage
            case .notAuthorized: self = .forbidden
            case .connectionLost: self = .silence
            default: self = .other
            }
        }
    }

    /// The evidence from the end of a connection.
    enum Finding: Equatable {
        case nothing
        /// A message on this topic was in flight alone; the topic is tried again.
        case failure(String)
        /// The topic is rejected: nothing is sent on it from now on.
        case rejected(String)
    }

    /// The maximum time between a message sent alone and an end that counts as the broker's reaction.
    static let promptness = Duration.seconds(5)
    /// The minimum age of a rejection that is reviewed at a reconnect.
    static let minimumAge = Duration.seconds(600)
    /// The time after which a rejection is reviewed on a lasting connection; doubles up to a day.
    static let firstReview = Duration.seconds(3600), lastReview = Duration.seconds(86_400)
    /// How long after a rejection one failure is proof: often several topics are forbidden together.
    static let habitMemory = Duration.seconds(60)
    /// The maximum number of remembered topics.
    static let capacity = 1_000

    /// The evidence against a suspect.
    private enum Evidence: Int, Comparable {
        /// The topic was rejected, and is being reviewed.
        case rejected
        /// The topic had unconfirmed messages when a connection ended.
        case unconfirmed
        /// The connection ended while its message was in flight alone.
        case failure

        static func < (a: Evidence, b: Evidence) -> Bool { a.rawValue < b.rawValue }
    }

    private struct Suspect {
        var evidence: Evidence
        /// The number of messages that the broker has to accept before the topic is no longer a suspect.
        var messages = 1
    }

    private var suspects: [String: Suspect] = [:]
    /// The rejected topics, with the times of rejection.
    private(set) var rejected: [String: Duration] = [:]
    /// The suspects on which nothing is sent before ``withheldUntil``.
    private var withheld: Set<String> = []
    private(set) var withheldUntil: Duration?
    /// Until this time one failure is proof.
    private var habitIsKnownUntil = Duration.zero
    private var reviewInterval = Self.firstReview
    private var nextReview: Duration?

    var hasSuspects: Bool { !suspects.isEmpty }
    func isSuspect(_ topic: String) -> Bool { !suspects.isEmpty && suspects[topic] != nil }
    func isRejected(_ topic: String) -> Bool { !rejected.isEmpty && rejected[topic] != nil }
    func isWithheld(_ topic: String) -> Bool { !withheld.isEmpty && withheld.contains(topic) }

    /// Records that the broker accepted a message on a topic, or that only that message was the cause; returns whether
    /// the topic had been rejected.
    mutating func clear(_ topic: String) -> Bool {
        guard !suspects.isEmpty, let suspect = suspects[topic] else { return false }
        suspects[topic]?.messages -= 1
        guard suspect.messages <= 1 else { return false }
        suspects[topic] = nil
        guard suspect.evidence == .rejected else { return false }
        // The broker's rules have changed: the next rejected topic is reviewed immediately.
        nextReview = rejected.isEmpty ? nil : .zero
        return true
    }

    /// Handles the start of a connection. Topics that were rejected some time ago are reviewed, since the broker's
    /// rules may have changed. Suspects are withheld for a random time, which a second client cannot know.
    ///
    /// - Parameter random: At least 0 and less than 1.
    mutating func connected(at now: Duration, random: Double) {
        let old = rejected.filter { now - $0.value >= Self.minimumAge }.map(\.key)
        reconsider(old, at: now)
        withheld = suspects.values.contains { $0.evidence == .failure } ? Set(suspects.keys) : Set(old)
        withheldUntil = withheld.isEmpty ? nil : now + .seconds(1 + 4 * random)
    }

    /// Ends the withholding if its time is over; returns the topics in the order in which to try them.
    mutating func release(at now: Duration) -> [String] {
        guard let time = withheldUntil, now >= time else { return [] }
        defer { (withheld, withheldUntil) = ([], nil) }
        return withheld.sorted { (evidence($1), $0) < (evidence($0), $1) }
    }

    private func evidence(_ topic: String) -> Evidence { suspects[topic]?.evidence ?? .rejected }

    /// Handles the end of a connection.
    ///
    /// - Parameters:
    ///   - unconfirmed: The topics with unconfirmed messages, with their counts.
    ///   - alone: The suspect whose message was in flight alone, and since when.
    mutating func ended(
        _ cause: Cause, unconfirmed: [String: Int], alone: (topic: String, since: Duration)?, at now: Duration
    ) -> Finding {
        (withheld, withheldUntil) = ([], nil)
        guard cause != .other else { return .nothing }
        for (topic, count) in unconfirmed where suspects.count < Self.capacity {
            var suspect = suspects[topic] ?? Suspect(evidence: .unconfirmed)
            // One message is enough evidence about a topic, but not about the next message.
            if cause == .blamesMessage { suspect.messages = max(suspect.messages, count) }
            suspects[topic] = suspect
        }
        guard let (topic, since) = alone, let suspect = suspects[topic] else { return .nothing }
        switch cause {
        case .forbidden: return reject(topic, at: now)
        case .silence where now - since <= Self.promptness:
            if now <= habitIsKnownUntil || suspect.evidence != .unconfirmed {
                habitIsKnownUntil = now + Self.habitMemory
                return reject(topic, at: now)
            }
            suspects[topic]?.evidence = .failure
            return .failure(topic)
        case .silence, .blamesMessage, .other: return .nothing
        }
    }

    /// Handles an unreachable broker: its end had no relation to a message.
    mutating func attemptFailed() {
        suspects = suspects.filter { $0.value.evidence == .rejected }
    }

    private mutating func reject(_ topic: String, at now: Duration) -> Finding {
        guard rejected.count < Self.capacity else { return .nothing }
        if suspects.removeValue(forKey: topic)?.evidence == .rejected {
            reviewInterval = min(reviewInterval * 2, Self.lastReview)
        }
        rejected[topic] = now
        nextReview = now + reviewInterval
        return .rejected(topic)
    }

    /// Whether a review is due on a lasting connection.
    func isReviewDue(at now: Duration) -> Bool { nextReview.map { now >= $0 } ?? false }

    /// Reviews rejected topics: all of them, or only the oldest as a sample. If the broker still forbids one, that
    /// costs the connection.
    ///
    /// - Returns: The topics that may be used again.
    mutating func review(all: Bool, at now: Duration) -> [String] {
        let oldest = rejected.min { ($0.value, $0.key) < ($1.value, $1.key) }
        let topics = all ? rejected.keys.sorted() : oldest.map { [$0.key] } ?? []
        reconsider(topics, at: now)
        return topics
    }

    private mutating func reconsider(_ topics: [String], at now: Duration) {
        for topic in topics {
            rejected[topic] = nil
            suspects[topic] = Suspect(evidence: .rejected)
        }
        nextReview = rejected.isEmpty ? nil : now + reviewInterval
    }
}
