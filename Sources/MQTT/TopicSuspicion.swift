/// Detects the topic over which the broker ends the connection; nothing is sent on that topic from then on.
///
/// Some brokers answer a publish that their access rules forbid by ending the connection: with DISCONNECT 0x87 in MQTT 5, and
/// without a reason in 3.1.1, where a lost network or a second client with our id looks the same. So:
///
/// 1. Topics with unconfirmed messages at the end of a connection are suspects.
/// 2. On the next connection a message on a suspect topic is sent alone: nothing else is unconfirmed while it is. A topic
///    on which the broker confirms a message is no longer a suspect; other topics are not delayed.
/// 3. If the connection ends while such a message is under way, 0x87 is proof. An end without a reason is a failure: the
///    suspects are withheld for some random seconds, which shows whether the connection lasts without them, and the topic
///    is tried once more. The second failure is proof; and once a broker is known to do so, the first.
/// 4. A proven topic is rejected: nothing is sent on it until it is reviewed. It is reviewed on request, at a reconnect after
///    ten minutes or more, and after an hour of a connection (longer each time, up to a day), where the client allows
///    that: a review may cost the connection.
///
/// A second client with our id ends connections at random moments: for a rejection it would have to hit the single round
/// trip of the same topic twice, the second time after a random wait.
struct TopicSuspicion {
    /// What is known of how a connection ended.
    enum Cause: Equatable {
        /// The broker said that something that we sent was forbidden.
        case forbidden
        /// The broker said that a message cannot be processed: it is the message's fault, not the topic's.
        case blamesMessage
        /// The connection ended without a word.
        case silence
        /// Something that no message can bring about.
        case other

        /// - Parameter error: Nil if this side ended the connection.
        init(_ error: MQTTError?) {
            switch error?.code {
            case _? where error?.blamesMessage == true: self = .blamesMessage
            case .notAuthorized: self = .forbidden
            case .connectionLost: self = .silence
            default: self = .other
            }
        }
    }

    /// What the end of a connection showed.
    enum Finding: Equatable {
        case nothing
        /// The topic's message was alone under way: it is tried once more.
        case failure(String)
        /// Nothing is sent on the topic from now on.
        case rejected(String)
    }

    /// How long after a message left alone an end still counts as the broker's answer to it.
    static let promptness = Duration.seconds(5)
    /// A topic that was rejected for less than this is not tried again only because of a reconnect.
    static let minimumAge = Duration.seconds(600)
    /// After how long a rejection is reviewed on a connection that lasts; doubles up to a day.
    static let firstReview = Duration.seconds(3600), lastReview = Duration.seconds(86_400)
    /// For how long after a rejection one failure is proof: several topics are often forbidden together.
    static let habitMemory = Duration.seconds(60)
    /// More topics than these are not remembered.
    static let capacity = 1_000

    /// Why a topic is a suspect.
    private enum Evidence: Int, Comparable {
        /// It was rejected, and is reviewed.
        case rejected
        /// It was not confirmed when a connection ended.
        case unconfirmed
        /// The connection ended while its message was alone under way.
        case failure

        static func < (a: Evidence, b: Evidence) -> Bool { a.rawValue < b.rawValue }
    }

    private struct Suspect {
        var evidence: Evidence
        /// How many messages the broker has to accept before it is no longer a suspect.
        var messages = 1
    }

    private var suspects: [String: Suspect] = [:]
    /// The rejected topics, and when they were.
    private(set) var rejected: [String: Duration] = [:]
    /// The suspects on which nothing is sent before a time.
    private var withheld: Set<String> = []
    private(set) var withheldUntil: Duration?
    /// Until when one failure is proof.
    private var habitIsKnownUntil = Duration.zero
    private var reviewInterval = Self.firstReview
    private var nextReview: Duration?

    var hasSuspects: Bool { !suspects.isEmpty }
    func isSuspect(_ topic: String) -> Bool { !suspects.isEmpty && suspects[topic] != nil }
    func isRejected(_ topic: String) -> Bool { !rejected.isEmpty && rejected[topic] != nil }
    func isWithheld(_ topic: String) -> Bool { !withheld.isEmpty && withheld.contains(topic) }

    /// Notes that the broker took a message on a topic, or that only that message was to blame; true if the topic had been
    /// rejected.
    mutating func clear(_ topic: String) -> Bool {
        guard !suspects.isEmpty, let suspect = suspects[topic] else { return false }
        suspects[topic]?.messages -= 1
        guard suspect.messages <= 1 else { return false }
        suspects[topic] = nil
        guard suspect.evidence == .rejected else { return false }
        // The broker's rules have changed: the next one is reviewed at once.
        nextReview = rejected.isEmpty ? nil : .zero
        return true
    }

    /// Notes the start of a connection: topics that were rejected some time ago are reviewed, since the broker may have
    /// other rules now, and doubtful ones are withheld for a time that a second client cannot know.
    ///
    /// - Parameter random: From 0 up to but not including 1.
    mutating func connected(at now: Duration, random: Double) {
        let old = rejected.filter { now - $0.value >= Self.minimumAge }.map(\.key)
        reconsider(old, at: now)
        withheld = suspects.values.contains { $0.evidence == .failure } ? Set(suspects.keys) : Set(old)
        withheldUntil = withheld.isEmpty ? nil : now + .seconds(1 + 4 * random)
    }

    /// Gives the topics on which something may be sent again, in the order in which they are to be tried.
    mutating func release(at now: Duration) -> [String] {
        guard let time = withheldUntil, now >= time else { return [] }
        defer { (withheld, withheldUntil) = ([], nil) }
        return withheld.sorted { (evidence($1), $0) < (evidence($0), $1) }
    }

    private func evidence(_ topic: String) -> Evidence { suspects[topic]?.evidence ?? .rejected }

    /// Notes the end of a connection.
    ///
    /// - Parameters:
    ///   - unconfirmed: The topics on which messages were not confirmed, and how many.
    ///   - alone: The suspect whose message was alone under way, and since when.
    mutating func ended(
        _ cause: Cause, unconfirmed: [String: Int], alone: (topic: String, since: Duration)?, at now: Duration
    ) -> Finding {
        (withheld, withheldUntil) = ([], nil)
        guard cause != .other else { return .nothing }
        for (topic, count) in unconfirmed where suspects.count < Self.capacity {
            var suspect = suspects[topic] ?? Suspect(evidence: .unconfirmed)
            // One message shows what is true of a topic, but nothing about the next message.
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

    /// Notes that the broker could not be reached: it went away, and no message was to blame.
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

    /// Whether a review is due on a connection that stands.
    func isReviewDue(at now: Duration) -> Bool { nextReview.map { now >= $0 } ?? false }

    /// Tries rejected topics again: all of them, or the one that was rejected first, which stands for all. If the broker still
    /// forbids one, that costs the connection.
    ///
    /// - Returns: The topics on which something may be sent again.
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
