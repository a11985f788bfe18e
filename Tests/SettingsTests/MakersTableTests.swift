import DeviceCatalog
import DeviceKit
import Foundation
import Testing

@testable import Reference

@Suite("The tables of vendor functions in the guides")
struct MakersTableTests {
    /// The families whose guide has such a table.
    static let families = ["belt", "robot", "tap"]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The cells of a row, without spaces around them.
    private typealias Row = [String]

    /// The rows between the marks in the only document that has them, without the table's head.
    private func rows(_ mark: String, columns: Int) throws -> [Row] {
        let pages = FileManager.default.enumerator(
            at: Self.root.appending(path: "docs"), includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }
        let found = try (try #require(pages) + [Self.root.appending(path: "README.md")])
            .filter { $0.pathExtension == "md" }
            .map { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n") }
            .filter { $0.contains("<!-- \(mark): begin -->") }
        let lines = try #require(found.count == 1 ? found[0] : nil, "\(found.count) documents have \(mark)")
        let begin = try #require(lines.firstIndex(of: "<!-- \(mark): begin -->"))
        let end = try #require(lines.firstIndex(of: "<!-- \(mark): end -->"))
        return try lines[(begin + 1)..<end].dropFirst(2).map { line in
            let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == columns, "\(line)")
            return cells
        }
    }

    /// The rows without titles.
    private func functions(_ family: String) throws -> [Row] {
        try rows(family, columns: 3).filter { !$0[0].hasPrefix("**") }
    }

    /// The texts in backticks.
    private func code(_ cell: String) -> [String] {
        let words = cell.split(separator: "`", omittingEmptySubsequences: false)
        return words.indices.filter { $0 % 2 == 1 }.map { String(words[$0]) }
    }

    @Test("Each topic of a function is declared, and every topic is in the table", arguments: families)
    func topics(_ name: String) throws {
        let declared = Set(TopicReference(Registry.families).sections.flatMap(\.entries).map(\.topic))
        var named: Set<String> = []
        for row in try functions(name) {
            let topics = code(row[1]).filter { $0.contains("/") && !$0.hasPrefix("/") }
                // The table omits the id of devices.
                .map {
                    $0.hasPrefix("tap/") ? $0.replacing("tap/", with: "tap/<id>/", maxReplacements: 1) : $0
                }
            #expect(!topics.isEmpty || row[1].contains("automatic"), "nothing serves \(row[0])")
            for topic in topics { #expect(declared.contains(topic), "\(topic) for \(row[0])") }
            named.formUnion(topics)
        }
        let family = try #require(Registry.families.named(name))
        for entry in TopicReference(only: [family]).sections.flatMap(\.entries) {
            #expect(named.contains(entry.topic), "\(entry.topic) is not in the table of \(name)")
        }
    }

    @Test("Each function names an existing test", arguments: families)
    func tests(_ name: String) throws {
        for row in try functions(name) {
            let tests = code(row[2])
            #expect(!tests.isEmpty, "no test shows \(row[0])")
            for test in tests { #expect(try Self.exists(test), "\(test) for \(row[0])") }
        }
    }

    @Test("An unsupported function has a reason", arguments: families)
    func leftOut(_ name: String) throws {
        let rows = try rows("\(name) left out", columns: 2)
        #expect(!rows.isEmpty)
        for row in rows {
            #expect(!row[0].isEmpty)
            #expect(row[1].hasSuffix(".") && row[1].split(separator: " ").count > 3, "\(row[0])")
        }
    }

    @Test("A missing test is detected")
    func missing() throws {
        #expect(try Self.exists("SettingsTests/MakersTableTests.missing"))
        #expect(try !Self.exists("SettingsTests/MakersTableTests.lost"))
        #expect(try !Self.exists("SettingsTests/NoTests.missing"))
        #expect(try !Self.exists("NoTests/MakersTableTests.missing"))
    }

    /// Whether a test exists: `SystemTests/NavigationTests.linkLost` is a function with `@Test` in that type, in a file
    /// of the target.
    private static func exists(_ test: String) throws -> Bool {
        let parts = test.split { $0 == "/" || $0 == "." }.map(String.init)
        guard parts.count == 3 else { return false }
        let folder = root.appending(path: "Tests/\(parts[0])")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }
        for file in files ?? [] where file.lastPathComponent == "\(parts[1]).swift" {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            guard let function = lines.firstIndex(where: { $0.hasPrefix("    func \(parts[2])(") }),
                lines.contains(where: { $0.hasPrefix("struct \(parts[1])") })
            else { continue }
            // The lines between the previous member and the function are its attributes.
            let end = lines[..<function].lastIndex(of: "    }") ?? 0
            return lines[end..<function].contains { $0.hasPrefix("    @Test") }
        }
        return false
    }
}
