/// Arranges texts in columns for a terminal; invisible characters are escaped.
package struct TextTable: Sendable {
    private var rows: [[String]] = []

    package init() {}

    /// Adds a row; the last column is not padded.
    package mutating func add(_ row: [String]) { rows.append(row.map(\.printable)) }

    /// Returns one line for each row. Each column is as wide as its widest cell that is not wider than `limit`.
    ///
    /// - Parameters:
    ///   - indentation: The prefix of each row.
    ///   - limit: The maximum width of a column; wider cells extend beyond it.
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
    /// The text without trailing spaces.
    package var trimmedAtEnd: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }

    /// Returns the text in lines of at most `width` characters, broken between words.
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
