/// A grid of cells, each as large as a narrow character; text outside it is clipped.
package struct Canvas: Hashable, Sendable {
    struct Cell: Hashable, Sendable {
        /// The character of the cell; nil for the second column of a wide character.
        var character: Character? = " "
        var style = Style.plain
    }

    package let width: Int
    package let height: Int
    private(set) var rows: [[Cell]]

    package init(width: Int, height: Int) {
        self.width = max(width, 1)
        self.height = max(height, 1)
        rows = Array(repeating: Array(repeating: Cell(), count: self.width), count: self.height)
    }

    /// Writes a text that starts at a column. Columns are counted from 0; text outside the grid is clipped.
    mutating func put(_ text: String, row: Int, column: Int, _ style: Style = .plain) {
        guard rows.indices.contains(row) else { return }
        var column = column
        for character in text {
            let columns = character.columns
            guard columns > 0 else { continue }
            if column >= 0, column + columns <= width {
                clear(row, column)
                if columns == 2 { clear(row, column + 1) }
                rows[row][column] = Cell(character: character, style: style)
                if columns == 2 { rows[row][column + 1] = Cell(character: nil, style: style) }
            }
            column += columns
        }
    }

    /// Writes a text centered on a column.
    mutating func put(_ text: String, row: Int, around column: Int, _ style: Style = .plain) {
        put(text, row: row, column: column - text.columns / 2, style)
    }

    /// Clears the other half of a wide character that is about to be overwritten.
    private mutating func clear(_ row: Int, _ column: Int) {
        if rows[row][column].character == nil, column > 0 { rows[row][column - 1].character = " " }
        if column + 1 < width, rows[row][column + 1].character == nil {
            rows[row][column + 1].character = " "
        }
    }

    /// The grid as text, without blanks at the ends of its lines.
    package var lines: [String] {
        rows.map { row in
            let text = String(row.compactMap(\.character))
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Returns the lines for a terminal, with colors if allowed.
    package func terminalLines(isColoured: Bool) -> [String] {
        guard isColoured else { return lines }
        return rows.indices.map { row in
            runs(of: row).map { run in
                run.style.rendition.isEmpty
                    ? run.text : "\u{1B}[\(run.style.rendition)m\(run.text)\u{1B}[0m"
            }.joined()
        }
    }

    /// A piece of adjacent text with one style.
    struct Run: Hashable, Sendable {
        var column: Int
        var text: String
        var style: Style
    }

    /// Returns a row as the smallest number of runs, without blanks at its end.
    func runs(of row: Int) -> [Run] {
        let cells = rows[row]
        guard let last = cells.lastIndex(where: { $0.character != " " || $0.style.colours.ground != nil })
        else { return [] }
        var runs: [Run] = []
        for (column, cell) in cells[...last].enumerated() {
            guard let character = cell.character else { continue }
            if let run = runs.last, run.style == cell.style {
                runs[runs.count - 1].text.append(character)
            } else {
                runs.append(Run(column: column, text: String(character), style: cell.style))
            }
        }
        return runs
    }
}
