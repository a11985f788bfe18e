import DeviceCatalog
import DeviceKit
import Foundation
import Testing

@testable import tactile_bridge

@Suite("The README says what is declared")
struct ReadmeTests {
    private let text: String
    private let reference = TopicReference(Registry.families)

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    }

    /// The lines between two marks.
    private func part(_ name: String) throws -> [Substring] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex(of: "<!-- \(name): begin -->"))
        let end = try #require(lines.firstIndex(of: "<!-- \(name): end -->"))
        return Array(lines[(begin + 1)..<end])
    }

    @Test("Its reference of topics is what tactile-bridge topics prints")
    func topics() throws {
        let written = try part("topics")
        let declared = reference.markdown.split(separator: "\n", omittingEmptySubsequences: false)
        for line in declared where !written.contains(line) {
            Issue.record("not in the README: \(line)")
        }
        #expect(
            written == declared,
            "put the output of tactile-bridge topics --format markdown between the marks in README.md")
    }

    @Test("Its table of entities is what tactile-bridge discovery prints")
    func homeAssistant() throws {
        let written = try part("home-assistant")
        let made = DiscoveryReference(Registry.families).markdown
            .split(separator: "\n", omittingEmptySubsequences: false)
        for line in made where !written.contains(line) { Issue.record("not in the README: \(line)") }
        #expect(
            written == made,
            "put the output of tactile-bridge discovery --format markdown between the marks in README.md")
    }

    @Test("Each topic that serves a documented feature of the belt is declared, and none is forgotten")
    func belt() throws {
        let declared = Set(reference.sections.flatMap(\.entries).map(\.topic))
        let rows = try part("belt").dropFirst(2).map { row in
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
        let belt = try #require(Registry.family(named: "belt"))
        for entry in TopicReference(only: belt).sections.flatMap(\.entries) {
            #expect(named.contains(entry.topic), "\(entry.topic) is not in the README's table of the belt")
        }
    }
}
