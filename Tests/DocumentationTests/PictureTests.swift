import Foundation
import Testing

@testable import tactile_demo

@Suite("The pictures")
struct PictureTests {
    @Test("The committed drawing equals the output of deploy/picture")
    func drawing() throws {
        let process = Process()
        process.executableURL = Repository.root.appending(path: "deploy/picture")
        process.arguments = ["--print"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let drawn = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let committed = try #require(Repository.text("docs/pictures/belt.svg"))
        #expect(String(decoding: drawn, as: UTF8.self) == committed, "run deploy/picture")
        // Sixteen motors, one of which vibrates.
        #expect(committed.matches(of: /r="13"/).count == 16)
    }

    @Test("The committed film equals the drawing of deploy/film, and README.md starts with it")
    func film() throws {
        func text(_ name: String) throws -> String {
            try #require(Repository.text("docs/pictures/demo.\(name)"))
        }
        let process = Process()
        process.executableURL = Program.folder.appending(path: "tactile-demo")
        let folder = Repository.root.appending(path: "docs/pictures").path
        process.arguments = [
            "--play", "\(folder)/demo.session", "--hints", "\(folder)/demo.hints", "--broker",
            "localhost:1884",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let drawn = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try String(decoding: drawn, as: UTF8.self) == text("svg"), "run deploy/film")
        // In this session every planned line was typed, without a typing error.
        let typed = try Recording(text("session")).entries.compactMap { entry in
            if case .typed(let line) = entry.content { line } else { nil }
        }
        let lines = try text("lines").split(separator: "\n").map { $0.drop { $0 != " " }.dropFirst() }
        #expect(typed == lines.map(String.init))
        #expect(try !text("session").contains(#"status\\\":\\\"error"#))
        let readme = try #require(Repository.text("README.md"))
        let first = try #require(readme.firstMatch(of: /!\[[^\]]*\]\(([^)]*)\)/)?.1)
        #expect(first == "docs/pictures/demo.svg")
    }
}
