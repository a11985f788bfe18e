import Foundation

/// The table of faults, as in `docs/measurements/faults.md` and as a run writes it.
enum FaultTable {
    static let head = ["| fault | what must hold | recovery | from … until … |", "| --- | --- | --- | --- |"]

    /// Appends a row to the file in `TACTILE_FAULT_TABLE`; the first row adds the head.
    static func note(_ fault: Fault, _ time: Duration) throws {
        guard let path = ProcessInfo.processInfo.environment["TACTILE_FAULT_TABLE"] else { return }
        let before = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        var lines = before.isEmpty ? head : []
        let heading = "| **\(fault.place.rawValue)** | | | |"
        if !before.contains(heading) { lines.append(heading) }
        lines.append("| \(fault.name) | \(fault.holds) | \(text(time)) | \(fault.counted) |")
        try (before + lines.joined(separator: "\n") + "\n").write(
            toFile: path, atomically: true, encoding: .utf8)
    }

    /// A duration with two significant digits: `3 ms`, `0.45 s`, `2.1 s`, `12 s`.
    static func text(_ time: Duration) -> String {
        let milliseconds = Int((time / .milliseconds(1)).rounded())
        switch milliseconds {
        case ..<100: return "\(milliseconds) ms"
        case ..<1000: return String(format: "%.2f s", Double(milliseconds) / 1000)
        case ..<10_000: return String(format: "%.1f s", Double(milliseconds) / 1000)
        default: return "\(milliseconds / 1000) s"
        }
    }

    /// The rows of the page: the fault, the condition, and the measured interval of each.
    static func inPage() throws -> [[String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appending(path: "docs/measurements/faults.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let lines = text.split(separator: "\n")
        let rows = lines.drop { $0 != "<!-- faults: begin -->" }.prefix { $0 != "<!-- faults: end -->" }
        return rows.map { row in
            row.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { $0.count == 6 && !$0[2].isEmpty && $0[1] != "fault" && $0[1] != "---" }
            .map { [$0[1], $0[2], $0[4]] }
    }
}
