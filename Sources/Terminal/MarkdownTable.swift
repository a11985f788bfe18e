package struct MarkdownTable: Sendable {
    private var rows: [[String]]

    /// - Parameter head: The titles of the columns.
    package init(_ head: [String]) {
        rows = [head, head.map { _ in "---" }]
    }

    /// Adds a row of Markdown; use ``escaped(_:)`` or ``code(_:)`` for plain text.
    package mutating func add(_ cells: [String]) { rows.append(cells) }

    package var lines: [String] { rows.map { "| \($0.joined(separator: " | ")) |" } }

    /// Returns plain text in the form for a cell; line breaks become spaces.
    package static func escaped(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("<", with: "&lt;").replacing("*", with: "\\*")
            .replacing("\n", with: " ")
    }

    /// Returns text in code font for a cell.
    package static func code(_ text: String) -> String { "`\(text.replacing("|", with: "\\|"))`" }
}
