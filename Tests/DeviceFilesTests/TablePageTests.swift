import DeviceFiles
import Foundation
import Testing

@Suite("The documentation page with all cases of device files")
struct TablePageTests {
    private static let place = Sample.folder.appending(path: "../../../docs/reference/device-files-cases.md")

    private static var page: String {
        var lines = [
            "# Device files: every case", "",
            "This page shows each type, qualifier and option of [device files](device-files.md): the values that are",
            "read and written, and the errors. The cases are data of the tests of the module `DeviceFiles`;",
            "`TACTILE_WRITE_CASES=1` makes them write this page.", "", "## Read and written", "",
            "| case | items | bytes, and what is published | payload, and what is written |",
            "| --- | --- | --- | --- |",
        ]
        for row in PacketRow.all {
            let items = (row.items + (row.beside.isEmpty ? [] : [row.beside])).map(code).joined(
                separator: "<br>")
            let reads = row.reads.map { "\(code($0.0.isEmpty ? "no bytes" : $0.0)) → \(code($0.1))" }
            let writes = row.writes.map { "\(code($0.0)) → \(code($0.1))" }
            lines.append(
                "| \(row.name) | \(items) | \(reads.joined(separator: "<br>")) | \(writes.joined(separator: "<br>")) |"
            )
        }
        lines += ["", "## Misused", "", "| case | the first error |", "| --- | --- |"]
        for row in MisuseRow.all {
            let problem = Sample.problems(row.text).first { $0.message.hasPrefix(row.message) }
            lines.append("| \(row.name) | \(code(problem?.description ?? "none")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func code(_ text: String) -> String {
        let text = text.replacing("|", with: "\\|").replacing("\n", with: " ")
        return text.contains("`") ? "`` \(text) ``" : "`\(text)`"
    }

    @Test("The page is identical to the tables")
    func comparison() throws {
        if ProcessInfo.processInfo.environment["TACTILE_WRITE_CASES"] != nil {
            try Self.page.write(to: Self.place, atomically: true, encoding: .utf8)
        }
        let page = try String(contentsOf: Self.place, encoding: .utf8)
        #expect(page == Self.page, "TACTILE_WRITE_CASES=1 writes the page anew")
    }

    @Test("Every key of the reference is misused in a case")
    func misuse() throws {
        let reference = try String(
            contentsOf: Self.place.deletingLastPathComponent().appending(path: "device-files.md"),
            encoding: .utf8)
        let rows = reference.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let keys = Set(
            rows.flatMap { $0.dropFirst(2).prefix { $0 != "|" }.matches(of: /`([a-z_]+)`/) }.map(\.1))
        #expect(keys.count > 90)
        let cases = MisuseRow.all.map { "\($0.path) \($0.message)" }.joined(separator: "\n")
        let words = Set(cases.split { !$0.isLowercase && $0 != "_" })
        // The types of which no value is an error.
        #expect(keys.subtracting(words).sorted() == ["bool", "sfloat"])
    }
}
