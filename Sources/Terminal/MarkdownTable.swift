/// A table as Markdown documents have it.
package struct MarkdownTable: Sendable {
    private var rows: [[String]]

    /// - Parameter head: The titles of the columns.
    package init(_ head: [String]) {
        rows = [head, head.map { _ in "---" }]
    }

    /// Adds a row of Markdown: text goes through ``escaped(_:)`` or ``code(_:)`` first.
    package mutating func add(_ cells: [String]) { rows.append(cells) }

    package var lines: [String] { rows.map { "| \($0.joined(separator: " | ")) |" } }

    /// Text as it is, to stand in a cell; line ends become spaces.
    package static func escaped(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("<", with: "&lt;").replacing("*", with: "\\*")
            .replacing("\n", with: " ")
    }

    /// Text in the letters of a program, to stand in a cell.
    package static func code(_ text: String) -> String { "`\(text.replacing("|", with: "\\|"))`" }
}
