import Messages

/// The subscriptions, one for each filter, in the order in which they were requested, and their refusals by the broker.
///
/// A refused subscription is retried after 1 to 2 s, then with doubled, randomized delays of up to 30 s.
struct Subscriptions {
    private struct Entry {
        let number: UInt64
        let filter: TopicFilter
        var refusal: Refusal?
    }

    private struct Refusal {
        var tries = 0
        /// The time of the next retry; nil while an answer is pending.
        var due: Duration?
        /// Whether the refusal was reported on this connection.
        var isReported = false
    }

    private var entries: [String: Entry] = [:]
    private var count: UInt64 = 0

    var inOrder: [TopicFilter] { Self.inOrder(entries.values) }

    var refused: [String] { entries.filter { $0.value.refusal != nil }.keys.sorted() }

    /// The time of the next retry; nil if there is none.
    var nextDue: Duration? { entries.values.compactMap { $0.refusal?.due }.min() }

    private static func inOrder(_ entries: some Collection<Entry>) -> [TopicFilter] {
        entries.sorted { $0.number < $1.number }.map(\.filter)
    }

    /// Adds a subscription, or replaces the subscription with the same filter.
    ///
    /// - Returns: False if an equal subscription exists.
    mutating func add(_ filter: TopicFilter) -> Bool {
        let old = entries[filter.filter]
        guard old?.filter != filter else { return false }
        count += 1
        entries[filter.filter] = Entry(number: count, filter: filter, refusal: old?.refusal)
        return true
    }

    /// Removes the subscription of a filter.
    ///
    /// - Returns: Whether the filter was subscribed.
    mutating func remove(_ filter: String) -> Bool { entries.removeValue(forKey: filter) != nil }

    /// Records that the broker granted a subscription.
    ///
    /// - Returns: Whether it had been refused before; nil if the subscription was removed.
    mutating func granted(_ filter: String) -> Bool? {
        guard let entry = entries[filter] else { return nil }
        entries[filter]?.refusal = nil
        return entry.refusal != nil
    }

    /// Records that the broker refused a subscription.
    ///
    /// - Parameter random: At least 0 and less than 1.
    /// - Returns: Whether this is the first refusal since the last grant, and whether it is the first on this
    ///   connection; nil if the subscription was removed.
    mutating func refused(_ filter: String, at now: Duration, random: Double) -> (
        isNew: Bool, isNewHere: Bool
    )? {
        guard let entry = entries[filter] else { return nil }
        let tries = entry.refusal?.tries ?? 0
        let ceiling = Double(min(30, 2 << min(tries, 4)))
        entries[filter]?.refusal = Refusal(
            tries: tries + 1, due: now + .seconds(ceiling / 2 + ceiling / 2 * random), isReported: true)
        return (entry.refusal == nil, entry.refusal?.isReported != true)
    }

    /// Returns the refused subscriptions whose retry is due; all refused subscriptions if `now` is nil.
    mutating func takeDue(at now: Duration?) -> [TopicFilter] {
        let due = entries.values.filter { entry in
            entry.refusal?.due.map { due in now.map { due <= $0 } ?? true } ?? false
        }
        for entry in due { entries[entry.filter.filter]?.refusal?.due = nil }
        return Self.inOrder(due)
    }

    /// Handles the end of the connection: the next connection starts with all subscriptions.
    mutating func disconnected() {
        for (filter, entry) in entries where entry.refusal != nil { entries[filter]?.refusal = Refusal() }
    }
}

/// The pending subscription requests, by packet. If several requests have the same filter, only the answer to the
/// newest request counts.
struct SubscriptionRequests {
    private var filters: [CInt: [String]] = [:]
    private var newest: [String: CInt] = [:]

    /// Adds the request of a packet.
    mutating func sent(_ filters: [String], as packet: CInt) {
        self.filters[packet] = filters
        for filter in filters { newest[filter] = packet }
    }

    /// Makes ``answered(_:_:)`` ignore the pending answer for a filter.
    mutating func withdraw(_ filter: String) { newest[filter] = nil }

    /// Returns the answers to a packet, without the answers to requests that a newer request or a withdrawal has
    /// replaced.
    mutating func answered<Code>(_ packet: CInt, _ codes: some Sequence<Code>) -> [(
        filter: String, code: Code
    )] {
        let asked = filters.removeValue(forKey: packet) ?? []
        let answers = zip(asked, codes).filter { newest[$0.0] == packet }
        for (filter, _) in answers { newest[filter] = nil }
        return answers.map { ($0, $1) }
    }
}
