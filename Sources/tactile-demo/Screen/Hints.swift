/// Suggestions of lines to type, in pages. In the text, a line without a blank at its start is the title of a page.
package struct Hints: Hashable, Sendable {
    package struct Page: Hashable, Sendable {
        package var title: String
        /// The lines to type.
        package var lines: [String] = []
    }

    package var pages: [Page] = []

    package init() {}

    /// Parses the pages of a text.
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

    /// All pages, one after the other, for output without a screen.
    package var lines: [String] { pages.flatMap { [$0.title] + $0.lines.map { "  \($0)" } } }
}
