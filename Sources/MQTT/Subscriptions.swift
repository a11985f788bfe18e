import Messages

/// What is subscribed, one entry a filter, in the order in which it was requested, and what the broker refuses of it.
///
/// A refused subscription is tried again after 1 to 2 s, then after twice that, up to 30 s, jittered.
struct Subscriptions {
    private struct Entry {
        let number: UInt64
        let filter: TopicFilter
        var refusal: Refusal?
    }

    private struct Refusal {
        var tries = 0
        /// When it is tried again; nil while the answer is awaited.
        var due: Duration?
        /// Whether it was reported on this connection.
        var isReported = false
    }

    private var entries: [String: Entry] = [:]
    private var count: UInt64 = 0

    /// The subscriptions, the oldest first.
    var inOrder: [TopicFilter] { Self.inOrder(entries.values) }

    /// The filters that the broker refuses, sorted.
    var refused: [String] { entries.filter { $0.value.refusal != nil }.keys.sorted() }

    /// When the next refused subscription is tried again; nil if none waits.
    var nextDue: Duration? { entries.values.compactMap { $0.refusal?.due }.min() }

    private static func inOrder(_ entries: some Collection<Entry>) -> [TopicFilter] {
        entries.sorted { $0.number < $1.number }.map(\.filter)
    }

    /// Adds a subscription, which replaces that of the same filter.
    ///
    /// - Returns: False if it is there already, as it is.
    mutating func add(_ filter: TopicFilter) -> Bool {
        let old = entries[filter.filter]
        guard old?.filter != filter else { return false }
        count += 1
        entries[filter.filter] = Entry(number: count, filter: filter, refusal: old?.refusal)
        return true
    }

    /// Removes the subscription of a filter.
    ///
    /// - Returns: Whether there was one.
    mutating func remove(_ filter: String) -> Bool { entries.removeValue(forKey: filter) != nil }

    /// Notes that the broker granted a subscription.
    ///
    /// - Returns: Whether it had refused it; nil if nobody needs it any longer.
    mutating func granted(_ filter: String) -> Bool? {
        guard let entry = entries[filter] else { return nil }
        entries[filter]?.refusal = nil
        return entry.refusal != nil
    }

    /// Notes that the broker refused a subscription.
    ///
    /// - Parameter random: From 0 up to but not including 1.
    /// - Returns: Whether that is new since it was granted last, and whether since the connection was made; nil if
    ///   nobody needs it any longer.
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

    /// Takes the refused subscriptions that are due, all of them if no time is given.
    mutating func takeDue(at now: Duration?) -> [TopicFilter] {
        let due = entries.values.filter { entry in
            entry.refusal?.due.map { due in now.map { due <= $0 } ?? true } ?? false
        }
        for entry in due { entries[entry.filter.filter]?.refusal?.due = nil }
        return Self.inOrder(due)
    }

    /// Notes the end of the connection: the next one starts with all subscriptions.
    mutating func disconnected() {
        for (filter, entry) in entries where entry.refusal != nil { entries[filter]?.refusal = Refusal() }
    }
}

/// The subscriptions that wait for their answer, by their packet; of several to one filter the newest counts.
struct SubscriptionRequests {
    private var filters: [CInt: [String]] = [:]
    private var newest: [String: CInt] = [:]

    /// Notes a packet that asks for filters.
    mutating func sent(_ filters: [String], as packet: CInt) {
        self.filters[packet] = filters
        for filter in filters { newest[filter] = packet }
    }

    /// Notes that a filter is not wanted any longer.
    mutating func withdraw(_ filter: String) { newest[filter] = nil }

    /// Takes the answers to a packet that still count.
    mutating func answered<Code>(_ packet: CInt, _ codes: some Sequence<Code>) -> [(
        filter: String, code: Code
    )] {
        let asked = filters.removeValue(forKey: packet) ?? []
        let answers = zip(asked, codes).filter { newest[$0.0] == packet }
        for (filter, _) in answers { newest[filter] = nil }
        return answers.map { ($0, $1) }
    }
}
