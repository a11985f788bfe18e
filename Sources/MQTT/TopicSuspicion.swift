/// Detects the topic because of which the broker closes the connection, and suspends the topic.
///
/// Some brokers react to a forbidden publish by closing the connection: with DISCONNECT 0x87 in MQTT 5, and without a
/// reason in 3.1.1. Without a reason, the cause may also be a lost network or a second client with the same client id.
/// So:
///
/// 1. Topics with unconfirmed messages at the end of a connection are suspects.
/// 2. On the next connection a message on a suspect topic is sent alone: no other message is unconfirmed at that time.
///    After the broker confirms a message on the topic, it is no longer a suspect. Other topics are not delayed.
/// 3. If the connection ends while such a message is in flight, 0x87 is proof. An end without a reason is a failure:
///    the suspects are withheld for a random time of some seconds, which shows whether the connection lasts without
///    them, and the topic is tried again. The second failure of a topic is proof. If another topic was rejected within
///    the last minute, the first failure is proof.
/// 4. A proven topic is rejected: nothing is sent on it until a review. Reviews take place on request, at a reconnect
///    ten minutes or more after the rejection, and an hour after the rejection on a lasting connection. The interval of
///    an hour doubles, up to a day, each time a reviewed topic is rejected again. On a lasting connection the client
///    has to allow a review, because a review may end the connection.
///
/// A second client with the same client id closes connections at random moments. To cause a rejection, it would have to
/// close the connection twice during the single round trip of one topic, the second time after a random delay.
struct TopicSuspicion {
    /// The cause of a connection's end.
    enum Cause: Equatable {
        /// The broker reported that a message was forbidden.
        case forbidden
        /// The broker reported that it cannot process a message: the cause is the message, not its topic.
        case blamesMessage
        /// The connection ended without a reason.
        case silence
        /// The cause is unrelated to messages.
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

    /// What the end of a connection shows about the suspects.
    enum Finding: Equatable {
        case nothing
        /// A message on this topic was in flight alone when the connection ended; the topic is tried again.
        case failure(String)
        /// The topic is rejected: nothing is sent on it from now on.
        case rejected(String)
    }

    /// The maximum time between sending a message alone and the end of the connection. If the connection ends later,
    /// the message is not considered the cause.
    static let promptness = Duration.seconds(5)
    /// The minimum age of a rejection: after this time, a reconnect reviews the rejected topic.
    static let minimumAge = Duration.seconds(600)
    /// The first and the longest interval between reviews on a lasting connection; the interval doubles.
    static let firstReview = Duration.seconds(3600), lastReview = Duration.seconds(86_400)
    /// The time after a rejection during which the first failure of another topic is already proof, because brokers
    /// often forbid several topics together.
    static let habitMemory = Duration.seconds(60)
    /// The maximum number of remembered topics.
    static let capacity = 1_000

    /// The evidence that a topic is the reason why the broker closes the connection.
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
        /// The number of messages that the broker has to accept until the topic is no longer a suspect.
        var messages = 1
    }

    private var suspects: [String: Suspect] = [:]
    /// The rejected topics, with the times of rejection.
    private(set) var rejected: [String: Duration] = [:]
    /// The suspects on which nothing is sent before ``withheldUntil``.
    private var withheld: Set<String> = []
    private(set) var withheldUntil: Duration?
    /// Until this time the first failure of a topic is proof (see ``habitMemory``).
    private var habitIsKnownUntil = Duration.zero
    private var reviewInterval = Self.firstReview
    private var nextReview: Duration?

    var hasSuspects: Bool { !suspects.isEmpty }
    func isSuspect(_ topic: String) -> Bool { !suspects.isEmpty && suspects[topic] != nil }
    func isRejected(_ topic: String) -> Bool { !rejected.isEmpty && rejected[topic] != nil }
    func isWithheld(_ topic: String) -> Bool { !withheld.isEmpty && withheld.contains(topic) }

    /// Records that the broker accepted a message on a topic, or that the broker refused only that message. Returns
    /// whether the topic had been rejected and is now accepted again.
    mutating func clear(_ topic: String) -> Bool {
        guard !suspects.isEmpty, let suspect = suspects[topic] else { return false }
        suspects[topic]?.messages -= 1
        guard suspect.messages <= 1 else { return false }
        suspects[topic] = nil
        guard suspect.evidence == .rejected else { return false }
        // Another topic was accepted again, so the broker's access rules have changed: the next rejected topic is
        // reviewed immediately.
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

    /// Makes the withheld suspects available again if the withholding time is over; returns their topics in the order
    /// in which to try them.
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
            // If the cause is a topic, one accepted message clears the topic. If the cause is a single message, all
            // unconfirmed messages have to be accepted.
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

    /// Handles a failed attempt to connect. The broker is unreachable, so the end of the last connection was unrelated
    /// to messages.
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

    /// Reviews rejected topics: all of them, or only the oldest as a sample. If the broker still forbids a reviewed
    /// topic, it closes the connection.
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
