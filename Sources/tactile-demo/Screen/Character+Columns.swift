extension Character {
    /// The width in columns of a terminal: 0, 1 or 2 (Unicode Standard Annex 11, and emoji).
    package var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.properties.generalCategory == .nonspacingMark || first.value == 0x200D { return 0 }
        if unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        if first.properties.isEmojiPresentation { return 2 }
        return Self.wide.contains { $0.contains(first.value) } ? 2 : 1
    }

    /// The blocks of East Asian characters that are wide or fullwidth.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x20000...0x3FFFD,
    ]
}

extension StringProtocol {
    /// The number of terminal columns that the text occupies.
    package var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Returns the text, cut with an ellipsis if it is wider than a number of columns.
    package func cut(to width: Int) -> String {
        guard columns > width else { return String(self) }
        guard width > 0 else { return "" }
        var (kept, used) = ("", 0)
        for character in self {
            guard used + character.columns < width else { break }
            kept.append(character)
            used += character.columns
        }
        return kept + "…"
    }

    /// Returns the text in lines of at most `width` columns, broken between words if possible.
    package func lines(of width: Int) -> [String] {
        let width = Swift.max(width, 2)
        var lines: [String] = []
        var (line, used) = ("", 0)
        for word in split(separator: " ") {
            if used > 0, used + 1 + word.columns > width {
                lines.append(line)
                (line, used) = ("", 0)
            }
            if used > 0 { (line, used) = (line + " ", used + 1) }
            for character in word {
                if used + character.columns > width {
                    lines.append(line)
                    (line, used) = ("", 0)
                }
                line.append(character)
                used += character.columns
            }
        }
        return used > 0 || lines.isEmpty ? lines + [line] : lines
    }
}
