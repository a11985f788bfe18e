import Terminal

extension Configuration {
    /// What holds, for a terminal; warnings last.
    package var report: [String] {
        var table = TextTable()
        for entry in entries { table.add([entry.path, entry.value, entry.origin.description]) }
        let head = "configuration file: \(file ?? "none, the defaults hold")"
        return [head.printable, ""] + table.lines(limit: 60)
            + (warnings.isEmpty ? [] : [""] + warnings.map { "warning: \($0)".printable })
    }
}
