import Messages

/// What is subscribed, one entry a filter, in the order in which it was asked for.
struct SubscriptionList: Sendable {
    private var entries: [String: (number: UInt64, subscription: TopicFilter)] = [:]
    private var count: UInt64 = 0

    /// The subscriptions, the oldest first.
    var inOrder: [TopicFilter] { entries.values.sorted { $0.number < $1.number }.map(\.subscription) }

    subscript(filter: String) -> TopicFilter? { entries[filter]?.subscription }

    /// Adds a subscription; one of the same filter goes.
    ///
    /// - Returns: False if it is there already, as it is.
    mutating func add(_ subscription: TopicFilter) -> Bool {
        guard entries[subscription.filter]?.subscription != subscription else { return false }
        count += 1
        entries[subscription.filter] = (count, subscription)
        return true
    }

    /// Removes the subscription of a filter.
    ///
    /// - Returns: Whether there was one.
    mutating func remove(_ filter: String) -> Bool { entries.removeValue(forKey: filter) != nil }
}
