import Foundation
import Testing

@Suite("The words of pages, help, log lines, answers and errors")
struct PlainWordsTests {
    /// The files below a folder whose names end with a text, by path.
    private static func files(in folder: String, suffix: String) -> [(path: String, text: String)] {
        let root = Repository.root.appending(path: folder).path
        let names = try? FileManager.default.subpathsOfDirectory(atPath: root)
        return (names ?? []).filter { $0.hasSuffix(suffix) }.sorted().compactMap { name in
            Repository.text("\(folder)/\(name)").map { ("\(folder)/\(name)", $0) }
        }
    }

    private static func report(_ path: String, _ lines: [String]) {
        for finding in PlainWords.findings(in: lines) { Issue.record("\(path), \(finding)") }
    }

    @Test("The programs' texts contain no phrase of the list")
    func programs() {
        let files = Self.files(in: "Sources", suffix: ".swift")
        #expect(files.count > 300)
        for file in files { Self.report(file.path, PlainWords.literals(inSwift: file.text)) }
    }

    @Test("The pages contain no phrase of the list outside code and comments")
    func pages() {
        #expect(Repository.pages.count > 60)
        for page in Repository.pages { Self.report(page.path, PlainWords.prose(of: page)) }
    }

    @Test("The console's English texts contain no phrase of the list")
    func console() throws {
        let text = try #require(Repository.text("console/lang/en.json"))
        Self.report("console/lang/en.json", text.split(separator: "\n").map { String($0) })
    }

    @Test("The comments of configuration files and of scripts contain no phrase of the list")
    func comments() {
        let scripts = Self.files(in: "deploy", suffix: "").filter { $0.text.hasPrefix("#!") }
        let files = Self.files(in: "config", suffix: ".yaml") + scripts
        #expect(files.count > 20)
        for file in files { Self.report(file.path, PlainWords.comments(inScript: file.text)) }
    }

    @Test(
        "A phrase of the list is found in its line, with the plain words",
        arguments: [
            (#"logger.info("the list is read anew")"#, "again"),
            (#"case .gone: "no device is heard""#, "in range"),
            (#"return "no device is at the broker""#, "on, in"),
            ("let help = \"\"\"\n    begins anew\n    \"\"\"", "start"),
        ])
    func found(source: String, plain: String) {
        let findings = PlainWords.findings(in: PlainWords.literals(inSwift: source))
        #expect(findings.contains { $0.plain.contains(plain) }, "\(findings)")
    }

    @Test("In a page, a phrase is found in prose only")
    func prose() {
        let page = Page(
            path: "a.md",
            text: """
                It is read anew.
                <!-- test: on a
                  b anew -->
                `anew`
                ```sh
                anew
                ```
                | a table begins |
                """)
        let findings = PlainWords.findings(in: PlainWords.prose(of: page))
        #expect(findings.map(\.line) == [1, 8], "\(findings)")
    }

    @Test("Comments, names and plain words are not reported")
    func ignored() {
        let source = "// begins anew\nlet foreign = beside(\"the bridge publishes the state again\")"
        #expect(PlainWords.findings(in: PlainWords.literals(inSwift: source)).isEmpty)
    }
}
