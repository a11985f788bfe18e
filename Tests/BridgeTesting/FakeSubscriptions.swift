public import Messages

/// The subscriptions of a client, indexed by topic or by the part before the first wildcard. So a message costs
/// little even with thousands of subscriptions.
struct FakeSubscriptions {
    private struct Entry {
        let number: Int
        let filter: TopicFilter
        /// The common prefix of all topics that the filter covers.
        let prefix: Substring

        func covers(_ topic: String) -> Bool { topic.hasPrefix(prefix) && filter.matches(topic) }
    }

    private var exact: [String: Entry] = [:]
    private var wild: [Entry] = []
    private var lastNumber = 0

    /// All subscriptions, in the order in which they were added.
    var all: [TopicFilter] { (exact.values + wild).sorted { $0.number < $1.number }.map(\.filter) }

    subscript(filter: String) -> TopicFilter? {
        exact[filter]?.filter ?? wild.first { $0.filter.filter == filter }?.filter
    }

    /// Adds a subscription and replaces one with the same filter.
    ///
    /// - Returns: False if an identical subscription exists.
    mutating func add(_ filter: TopicFilter) -> Bool {
        guard self[filter.filter] != filter else { return false }
        remove(filter.filter)
        lastNumber += 1
        var prefix = filter.filter.prefix { $0 != "+" && $0 != "#" }
        // `a/#` covers `a` too.
        if prefix.last == "/" { prefix.removeLast() }
        let entry = Entry(number: lastNumber, filter: filter, prefix: prefix)
        if filter.hasWildcards { wild.append(entry) } else { exact[filter.filter] = entry }
        return true
    }

    mutating func remove(_ filter: String) {
        if exact.removeValue(forKey: filter) == nil { wild.removeAll { $0.filter.filter == filter } }
    }

    /// Returns the subscriptions that cover a topic.
    func covering(_ topic: String) -> [TopicFilter] {
        (exact[topic].map { [$0.filter] } ?? []) + wild.lazy.filter { $0.covers(topic) }.map(\.filter)
    }
}

extension TopicFilter {
    /// Whether the filter contains wildcards.
    var hasWildcards: Bool { filter.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") } }

    /// Whether the filter matches a topic (MQTT 5, 4.7.1).
    public func matches(_ topic: String) -> Bool {
        let wanted = filter.split(separator: "/", omittingEmptySubsequences: false)
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        for (index, level) in wanted.enumerated() {
            if level == "#" { return true }
            guard index < levels.count, level == "+" || level == levels[index] else { return false }
        }
        return wanted.count == levels.count
    }
}
