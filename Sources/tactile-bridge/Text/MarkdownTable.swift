/// A table as Markdown documents have it.
struct MarkdownTable: Sendable {
    private var rows: [[String]]

    /// - Parameter head: The titles of the columns.
    init(_ head: [String]) {
        rows = [head, head.map { _ in "---" }]
    }

    /// Adds a row of Markdown: text goes through ``escaped(_:)`` or ``code(_:)`` first.
    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// One line a row.
    var lines: [String] { rows.map { "| \($0.joined(separator: " | ")) |" } }

    /// Text as it is, to stand in a cell; line ends become spaces.
    static func escaped(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("<", with: "&lt;").replacing("*", with: "\\*")
            .replacing("\n", with: " ")
    }

    /// Text in the letters of a program, to stand in a cell.
    static func code(_ text: String) -> String { "`\(text.replacing("|", with: "\\|"))`" }
}
