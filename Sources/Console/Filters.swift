/// The rules of MQTT for topics and topic filters (MQTT 5, 4.7), as far as the console gives them to a page.
package enum Filters {
    /// How many bytes a topic or a filter may have.
    package static let lengthLimit = 512

    /// Whether a text is a topic filter that a page may watch: none that begins with `$`.
    package static func isFilter(_ text: String) -> Bool {
        guard isText(text) else { return false }
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        for (index, level) in levels.enumerated() where level.contains("+") || level.contains("#") {
            guard level.utf8.count == 1 else { return false }
            if level == "#", index != levels.count - 1 { return false }
        }
        return true
    }

    /// Whether a text is a topic on which a page may ask to publish.
    package static func isTopic(_ text: String) -> Bool {
        isText(text) && !text.contains("+") && !text.contains("#")
    }

    private static func isText(_ text: String) -> Bool {
        (1...lengthLimit).contains(text.utf8.count) && !text.hasPrefix("$")
            && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    /// Whether a topic is among those that a filter asks for.
    package static func matches(_ filter: String, _ topic: String) -> Bool {
        matches(
            filter.split(separator: "/", omittingEmptySubsequences: false),
            topic.split(separator: "/", omittingEmptySubsequences: false))
    }

    static func matches(_ filter: [Substring], _ topic: [Substring]) -> Bool {
        // A wildcard in front means no topic of the broker's own (MQTT 5, 4.7.2).
        if let first = topic.first, first.hasPrefix("$"), filter.first?.hasPrefix("$") != true {
            return false
        }
        for (index, level) in filter.enumerated() {
            if level == "#" { return true }
            guard index < topic.count, level == "+" || level == topic[index] else { return false }
        }
        return filter.count == topic.count
    }

    /// Whether every topic of one filter is among those of another.
    static func covers(_ wide: String, _ narrow: String) -> Bool {
        let wide = wide.split(separator: "/", omittingEmptySubsequences: false)
        let narrow = narrow.split(separator: "/", omittingEmptySubsequences: false)
        for (index, level) in wide.enumerated() {
            if level == "#" { return true }
            guard index < narrow.count, narrow[index] != "#" else { return false }
            guard level == "+" || level == narrow[index] else { return false }
        }
        return wide.count == narrow.count
    }

    /// The filters without those that others among them cover, in the order of their names.
    package static func widest(_ filters: Set<String>) -> [String] {
        filters.filter { filter in !filters.contains { $0 != filter && covers($0, filter) } }.sorted()
    }
}
