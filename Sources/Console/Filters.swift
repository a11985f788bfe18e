/// The rules of MQTT for topics and topic filters (MQTT 5, 4.7), with the limits for pages.
package enum Filters {
    /// The maximum size of a topic or a filter, in bytes.
    package static let lengthLimit = 512

    /// Whether a text is a topic filter that a page may watch; it must not start with `$`.
    package static func isFilter(_ text: String) -> Bool {
        guard isText(text) else { return false }
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        for (index, level) in levels.enumerated() where level.contains("+") || level.contains("#") {
            guard level.utf8.count == 1 else { return false }
            if level == "#", index != levels.count - 1 { return false }
        }
        return true
    }

    /// Whether a text is a topic that a page may publish to.
    package static func isTopic(_ text: String) -> Bool {
        isText(text) && !text.contains("+") && !text.contains("#")
    }

    private static func isText(_ text: String) -> Bool {
        (1...lengthLimit).contains(text.utf8.count) && !text.hasPrefix("$")
            && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    /// Returns the filters in alphabetical order, without filters whose topics all match another filter.
    package static func widest(_ filters: Set<String>) -> [String] {
        let all = FilterSet(filters)
        return filters.filter { !all.covers($0) }.sorted()
    }
}
