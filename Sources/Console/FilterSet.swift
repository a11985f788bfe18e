/// Topic filters as a tree of levels, so that the time to match a topic does not grow with the number of filters.
package struct FilterSet: Sendable {
    private struct Node: Sendable {
        var next: [Substring: Int] = [:]
        /// The index of the node that follows the wildcard `+`; nil if no filter has `+` at this level.
        var any: Int?
        var isEnd = false
        /// Whether a filter has the wildcard `#` after this level.
        var takesAll = false
    }

    private var nodes = [Node()]

    package init(_ filters: some Sequence<String>) {
        for filter in filters {
            var place = 0
            for level in filter.split(separator: "/", omittingEmptySubsequences: false) {
                if level == "#" {
                    nodes[place].takesAll = true
                    break
                }
                place = child(of: place, level)
            }
            if !nodes[place].takesAll { nodes[place].isEnd = true }
        }
    }

    private mutating func child(of place: Int, _ level: Substring) -> Int {
        if let known = level == "+" ? nodes[place].any : nodes[place].next[level] { return known }
        nodes.append(Node())
        if level == "+" {
            nodes[place].any = nodes.count - 1
        } else {
            nodes[place].next[level] = nodes.count - 1
        }
        return nodes.count - 1
    }

    /// Returns whether a topic matches one of the filters.
    package func matches(_ topic: String) -> Bool {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        // A leading wildcard does not match topics that start with `$` (MQTT 5, 4.7.2).
        guard topic.hasPrefix("$") else { return matches(levels[...], from: 0) }
        return nodes[0].next[levels[0]].map { matches(levels.dropFirst(), from: $0) } ?? false
    }

    /// Returns whether another filter in the set matches every topic that `filter` matches.
    func covers(_ filter: String) -> Bool {
        let levels = filter.split(separator: "/", omittingEmptySubsequences: false)
        return covers(levels[...], from: 0, isOwn: true)
    }

    /// - Parameter isOwn: Whether all levels on the path to this node equal the levels of the filter. If so, a match at
    ///   the end of the path is the filter itself, not another filter.
    private func covers(_ levels: ArraySlice<Substring>, from place: Int, isOwn: Bool) -> Bool {
        let node = nodes[place]
        if node.takesAll, !isOwn || levels != ["#"] { return true }
        guard let first = levels.first else { return node.isEnd && !isOwn }
        if first == "#" { return false }
        let rest = levels.dropFirst()
        if let next = node.next[first], covers(rest, from: next, isOwn: isOwn) { return true }
        return node.any.map { covers(rest, from: $0, isOwn: isOwn && first == "+") } ?? false
    }

    private func matches(_ levels: ArraySlice<Substring>, from place: Int) -> Bool {
        let node = nodes[place]
        if node.takesAll { return true }
        guard let first = levels.first else { return node.isEnd }
        let rest = levels.dropFirst()
        if let next = node.next[first], matches(rest, from: next) { return true }
        return node.any.map { matches(rest, from: $0) } ?? false
    }
}
