/// Lays words out in columns, as a terminal shows them; what cannot be seen is escaped.
package struct TextTable: Sendable {
    private var rows: [[String]] = []

    package init() {}

    /// Adds a row; the last column is not filled up.
    package mutating func add(_ row: [String]) { rows.append(row.map(\.printable)) }

    /// One line a row, each column as wide as its widest word, but for words wider than the limit.
    ///
    /// - Parameters:
    ///   - indentation: What stands in front of each row.
    ///   - limit: The width from which on a word is let run over instead of widening its column.
    package func lines(indentation: String = "", limit: Int = 40) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.compactMap { column < $0.count ? $0[column].count : nil }.filter { $0 <= limit }.max() ?? 0
        }
        return rows.map { row in
            var line = indentation
            for (column, word) in row.enumerated() {
                line += word
                guard column < row.count - 1 else { continue }
                line += String(repeating: " ", count: max(widths[column] - word.count, 0) + 2)
            }
            return line.trimmedAtEnd
        }
    }
}

extension String {
    /// Without spaces at the end.
    package var trimmedAtEnd: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }

    /// The text in lines that are not longer than a width, broken between words.
    package func wrapped(at width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            if !line.isEmpty, line.count + word.count + 1 > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? word : " \(word)"
        }
        return lines + (line.isEmpty ? [] : [line])
    }
}
