import DeviceCatalog
import DeviceKit
import Foundation
import Testing

@testable import Reference

@Suite("The documents' table of the belt")
struct BeltTableTests {
    private let reference = TopicReference(Registry.families)

    /// The lines between the marks, in the one document that has them.
    private func table() throws -> ArraySlice<Substring> {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let pages = FileManager.default.enumerator(
            at: root.appending(path: "docs"), includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
        let found = try (try #require(pages) + [root.appending(path: "README.md")])
            .filter { $0.pathExtension == "md" }
            .map { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n") }
            .filter { $0.contains("<!-- belt: begin -->") }
        let lines = try #require(found.count == 1 ? found[0] : nil, "\(found.count) documents have it")
        let begin = try #require(lines.firstIndex(of: "<!-- belt: begin -->"))
        let end = try #require(lines.firstIndex(of: "<!-- belt: end -->"))
        return lines[(begin + 1)..<end]
    }

    @Test("Each topic that serves a documented feature of the belt is declared, and none is forgotten")
    func belt() throws {
        let declared = Set(reference.sections.flatMap(\.entries).map(\.topic))
        let rows = try table().dropFirst(2).map { row in
            row.split(separator: "|").map { $0.drop { $0 == " " } }
        }
        var named: Set<String> = []
        for row in rows {
            try #require(row.count == 2, "\(row)")
            let words = row[1].split(separator: "`", omittingEmptySubsequences: false)
            let topics = words.indices.filter { $0 % 2 == 1 }.map { String(words[$0]) }.filter {
                $0.contains("/")
            }
            #expect(!topics.isEmpty || row[0].hasPrefix("**"), "no topic serves \(row[0])")
            for topic in topics { #expect(declared.contains(topic), "\(topic) for \(row[0])") }
            named.formUnion(topics)
        }
        let belt = try #require(Registry.families.named("belt"))
        for entry in TopicReference(only: [belt]).sections.flatMap(\.entries) {
            #expect(named.contains(entry.topic), "\(entry.topic) is not in the table of the belt")
        }
    }
}
