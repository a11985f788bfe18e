/// What a person can type, in pages: a line without a blank at its start is the title of one.
package struct Hints: Hashable, Sendable {
    package struct Page: Hashable, Sendable {
        package var title: String
        /// As they are to be typed.
        package var lines: [String] = []
    }

    package var pages: [Page] = []

    package init() {}

    /// Reads the pages of a text.
    package init(_ text: String) {
        for line in text.split(separator: "\n").map(String.init) {
            if line.hasPrefix(" ") {
                if pages.isEmpty { pages.append(Page(title: "")) }
                pages[pages.count - 1].lines.append(String(line.drop { $0 == " " }))
            } else {
                pages.append(Page(title: line))
            }
        }
    }

    /// All pages below each other, as a text without a screen shows them.
    package var lines: [String] { pages.flatMap { [$0.title] + $0.lines.map { "  \($0)" } } }
}
