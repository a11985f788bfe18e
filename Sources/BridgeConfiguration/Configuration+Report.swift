import Terminal

extension Configuration {
    /// The current settings for terminals, one line for each entry. Warnings are last.
    package var report: [String] {
        var table = TextTable()
        for entry in entries { table.add([entry.path, entry.value, entry.origin.description]) }
        let head = "configuration file: \(file ?? "none, the defaults apply")"
        let more = parts.map { "and: \($0)".printable }
        return [head.printable] + more + [""] + table.lines(limit: 60)
            + (warnings.isEmpty && ignored.isEmpty
                ? [] : [""] + (warnings + ignored).map { "warning: \($0)".printable })
    }
}
