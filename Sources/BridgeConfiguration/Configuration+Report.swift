import Terminal

extension Configuration {
    /// The current settings for terminals, one line for each entry. Warnings are last.
    package var report: [String] {
        var table = TextTable()
        for entry in entries { table.add([entry.path, entry.value, entry.origin.description]) }
        let head = "configuration file: \(file ?? "none, the defaults apply")"
        var lines = [head.printable]
        lines += parts.map { "and: \($0)".printable }
        lines.append("")
        lines += table.lines(limit: 60)
        let warnings = warnings + ignored
        if !warnings.isEmpty { lines.append("") }
        return lines + warnings.map { "warning: \($0)".printable }
    }
}
