/// A pattern for a whole text: `*` is any text, `?` any character; case matters.
package struct Glob: Hashable, Sendable, CustomStringConvertible {
    /// The pattern as it was written.
    package let description: String
    private let pattern: [Character]

    /// Makes a pattern.
    package init(_ pattern: String) {
        description = pattern
        self.pattern = Array(pattern)
    }

    /// How many characters it knows.
    package var literals: Int { pattern.count { $0 != "*" && $0 != "?" } }

    /// Whether it knows all of them, so that one text alone matches.
    package var isExact: Bool { literals == pattern.count }

    /// Whether the whole of a text is so.
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
                // One more character belongs to the star.
                star = (last.place, last.position + 1)
                (place, position) = (last.place + 1, last.position + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
