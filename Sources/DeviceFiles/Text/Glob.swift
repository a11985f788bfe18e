/// A case-sensitive pattern for a whole text: `*` matches any text, `?` any character.
package struct Glob: Hashable, Sendable, CustomStringConvertible {
    /// The original text of the pattern.
    package let description: String
    private let pattern: [Character]

    package init(_ pattern: String) {
        description = pattern
        self.pattern = Array(pattern)
    }

    /// The number of characters other than `*` and `?`.
    package var literals: Int { pattern.count { $0 != "*" && $0 != "?" } }

    /// Whether the pattern has no wildcards, so that it matches exactly one text.
    package var isExact: Bool { literals == pattern.count }

    /// Whether the pattern matches the whole text.
    package func matches(_ text: some StringProtocol) -> Bool {
        let text = Array(text)
        var (place, position) = (0, 0)
        var star: (place: Int, position: Int)?
        while position < text.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (place, position)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[position] {
                place += 1
                position += 1
            } else if let last = star {
                // The rest does not match, so the last `*` must match one more character.
                star = (last.place, last.position + 1)
                (place, position) = (last.place + 1, last.position + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
