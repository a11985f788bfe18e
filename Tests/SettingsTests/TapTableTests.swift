import DeviceCatalog
import DeviceKit
import Foundation
import Testing

@testable import Reference

@Suite("The documents' table of the TAP")
struct TapTableTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The rows between the marks, as their cells.
    private func rows() throws -> [[Substring]] {
        let page = try String(contentsOf: root.appending(path: "docs/guides/tap.md"), encoding: .utf8)
        let lines = page.split(separator: "\n")
        let begin = try #require(lines.firstIndex(of: "<!-- tap: begin -->"))
        let end = try #require(lines.firstIndex(of: "<!-- tap: end -->"))
        return lines[(begin + 1)..<end].dropFirst(2).map { row in
            row.split(separator: "|").map { $0.drop { $0 == " " } }
        }
    }

    /// What stands between backticks.
    private func words(_ cell: Substring) -> [String] {
        let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }

    @Test(
        "Each topic that serves a function of the maker's SDKs is declared, and none of the TAP is forgotten")
    func topics() throws {
        let declared = Set(TopicReference(Registry.families).sections.flatMap(\.entries).map(\.topic))
        var named: Set<String> = []
        for row in try rows() where !row[0].hasPrefix("**") {
            try #require(row.count == 3, "\(row)")
            let topics = words(row[1]).filter { $0.contains("/") }.map { topic in
                topic.hasPrefix("tap/") ? "tap/<id>/" + topic.dropFirst(4) : topic
            }
            #expect(!topics.isEmpty || row[1].contains("by itself"), "no topic serves \(row[0])")
            for topic in topics { #expect(declared.contains(topic), "\(topic) for \(row[0])") }
            named.formUnion(topics)
        }
        let tap = try #require(Registry.families.named("tap"))
        for entry in TopicReference(only: [tap]).sections.flatMap(\.entries) {
            #expect(named.contains(entry.topic), "\(entry.topic) is not in the table of the TAP")
        }
    }

    @Test("Each function has a test that is there")
    func tests() throws {
        for row in try rows() where !row[0].hasPrefix("**") {
            let suite = try #require(words(row[2]).first, "\(row[0]) has no test")
            let parts = suite.split(separator: ".")
            let folder = root.appending(path: "Tests/\(parts[0])")
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
                .compactMap { ($0 as? URL)?.lastPathComponent }
            #expect(files?.contains("\(parts[1]).swift") == true, "\(suite) for \(row[0])")
        }
    }
}
