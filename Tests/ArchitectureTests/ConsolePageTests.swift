import Foundation
import Testing

@Suite("The page of the console")
struct ConsolePageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let page = root.appending(path: "console")

    private static func files(_ endings: String...) throws -> [(name: String, text: String)] {
        let names = FileManager.default.enumerator(atPath: page.path)?.compactMap { $0 as? String } ?? []
        let chosen = names.sorted().filter { name in endings.contains { name.hasSuffix(".\($0)") } }
        return try chosen.map { ($0, try String(contentsOf: page.appending(path: $0), encoding: .utf8)) }
    }

    private static func language(_ name: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(contentsOf: page.appending(path: "lang/\(name).json")))
    }

    /// The texts of a language by keys such as `devices.rename.to`; the key "" is the text of the object itself.
    private static func texts(_ name: String) throws -> [String: String] {
        func flat(_ texts: Any, _ prefix: String) -> [(String, String)] {
            if let text = texts as? String { return [(prefix, text)] }
            return (texts as? [String: Any] ?? [:]).flatMap { key, text in
                flat(text, prefix.isEmpty || key.isEmpty ? prefix + key : "\(prefix).\(key)")
            }
        }
        return Dictionary(uniqueKeysWithValues: flat(try language(name), ""))
    }

    private static func placeholders(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{\w+\}/).map { String($0.output) })
    }

    @Test("All languages have the same keys and placeholders, and no empty text")
    func languages() throws {
        let english = try Self.texts("en")
        let folder = Self.page.appending(path: "lang").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count >= 2)
        for name in names {
            let other = try Self.texts(String(name.dropLast(".json".count)))
            #expect(Set(other.keys).symmetricDifference(english.keys).isEmpty, "\(name)")
            for (key, text) in other {
                #expect(!text.isEmpty, "\(name): \(key)")
                #expect(Self.placeholders(text) == Self.placeholders(english[key] ?? ""), "\(name): \(key)")
            }
        }
    }

    @Test("Each text that the page requests by a fixed key exists")
    func keys() throws {
        let english = try Self.texts("en")
        for (name, text) in try Self.files("js") {
            for match in text.matches(of: /\bt\("([a-z_.]+)"/) {
                #expect(english[String(match.1)] != nil, "\(name): \(match.1)")
            }
        }
    }

    @Test(
        "The page is at most 250 kB before it is packed, connects to its own origin only, and has no inline code"
    )
    func frugal() throws {
        let all = try Self.files("html", "js", "css", "json", "svg")
        #expect(all.contains { $0.name == "index.html" })
        // A browser loads one of the languages. Packing removes about a third.
        let loaded = all.filter {
            !$0.name.hasPrefix("lib/") && ($0.name == "lang/en.json" || !$0.name.hasPrefix("lang/"))
        }
        #expect(loaded.reduce(0) { $0 + $1.text.utf8.count } <= 250_000)
        // The library is fetched, and not this project's code.
        for (name, text) in all where !name.hasPrefix("lib/") {
            let addresses = text.matches(of: /https?:\/\/[^"' )]+/).map { String($0.output) }
            #expect(addresses.allSatisfy { $0.hasPrefix("http://www.w3.org/") }, "\(name): \(addresses)")
            #expect(!text.contains("innerHTML") && !text.contains("insertAdjacentHTML"), "\(name)")
            #expect(!text.contains("eval(") && !text.contains("document.write"), "\(name)")
        }
        let markup = try String(contentsOf: Self.page.appending(path: "index.html"), encoding: .utf8)
        #expect(markup.firstMatch(of: /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/) == nil)
    }

    @Test(
        "What a browser loads from the package is at most 150 kB, and 60 kB compressed",
        .enabled("esbuild, gzip or the page's library is not there") { Self.canPack })
    func budget() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        func size(_ names: [String]) throws -> Int {
            try names.reduce(0) { try $0 + Data(contentsOf: URL(filePath: $1)).count }
        }
        let (status, said) = try Self.run("deploy/console-page", folder.path)
        #expect(status == 0, "\(said)")
        let packed = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .map { folder.appending(path: $0).path }
        let code = packed.filter { $0.hasSuffix(".js") || $0.hasSuffix(".css") }
        #expect(code.count == 2)
        let languages = packed.filter { $0.hasSuffix(".json") }
        let longest = try #require(try languages.max { try size([$0]) < size([$1]) })
        let files = code + [longest]
        #expect(try size(files) <= 150_000)
        #expect(try size(files.map { "\($0).gz" }) <= 60_000)
    }

    private static var canPack: Bool {
        let isThere = FileManager.default.fileExists(atPath: page.appending(path: "lib/preact.js").path)
        return isThere && (try? run("esbuild", "--version").status) == 0
    }

    @Test("Its unit tests pass", .enabled("node 20.19 or newer is not installed") { Self.hasNode })
    func units() throws {
        let (status, said) = try Self.run(
            "node", "--test", "Tests/Console/units.mjs", "Tests/Console/units-views.mjs")
        #expect(status == 0, "\(said)")
    }

    private static var hasNode: Bool {
        guard let (status, said) = try? run("node", "--version"), status == 0 else { return false }
        let parts = said.drop { $0 == "v" }.split(separator: ".").prefix(2).compactMap { Int($0) }
        return parts.count == 2 && (parts[0], parts[1]) >= (20, 19)
    }

    private static func run(_ command: String...) throws -> (status: Int32, said: String) {
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = root
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }
}
