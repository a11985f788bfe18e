import Foundation
import ProtocolVectors
import Testing

@Suite("The pages about protocols")
struct PageTests {
    /// With this environment variable, the tables are written instead of compared.
    private static let isWriting = ProcessInfo.processInfo.environment["TACTILE_WRITE_DOCUMENTS"] != nil

    @Test("A file of worked examples is well-formed", arguments: VectorFile.devices)
    func files(device: String) {
        let file = VectorFile.named(device)
        #expect(file.problem == nil)
        #expect(!file.vectors.isEmpty)
    }

    @Test("The tables of a page match its file of worked examples", arguments: VectorFile.devices)
    func tables(device: String) throws {
        try #require(VectorFile.named(device).problem == nil)
        let page = try VectorPage(device)
        let expected = page.expected
        if Self.isWriting {
            try expected.write(
                to: Repository.root.appending(path: page.name), atomically: true, encoding: .utf8)
        } else if page.text != expected {
            let pairs = zip(
                page.text.split(separator: "\n", omittingEmptySubsequences: false),
                expected.split(separator: "\n", omittingEmptySubsequences: false))
            let first = pairs.first { $0 != $1 }
            Issue.record(
                """
                \(page.name) is not what its file makes of it; run the tests with TACTILE_WRITE_DOCUMENTS=1 once.
                It has: \(first?.0 ?? "fewer or more lines")
                It should have: \(first?.1 ?? "")
                """)
        }
    }

    @Test("A page refers only to existing sources and examples", arguments: VectorFile.devices)
    func marks(device: String) throws {
        let page = try VectorPage(device)
        #expect(page.unknownMarks == [])
        #expect(!page.marks.isEmpty)
    }

    @Test("Each source of a file is referred to by the page or by an example", arguments: VectorFile.devices)
    func sources(device: String) throws {
        let file = VectorFile.named(device)
        let used = Set(try VectorPage(device).marks).union(file.vectors.flatMap(\.sources))
        for source in file.sources { #expect(used.contains(source.mark), "\(source.mark) is of no use") }
    }

    @Test("Every kind of example is read by existing tests")
    func readers() throws {
        for kind in VectorFile.devices.flatMap({ VectorFile.named($0).kinds }) {
            for reader in kind.readers {
                let folder = Repository.root.appending(path: "Tests/\(reader)").path
                let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                #expect(files.contains { $0.hasSuffix("VectorTests.swift") }, "\(reader) reads no examples")
            }
        }
    }

    @Test("The index lists every page and every file")
    func index() throws {
        let text = try String(
            contentsOf: Repository.root.appending(path: "docs/protocols/README.md"), encoding: .utf8)
        let folder = Repository.root.appending(path: "docs/protocols")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".md") && $0 != "README.md" || $0.hasSuffix(".json")
        }
        #expect(files.count == 2 * VectorFile.devices.count)
        for file in files { #expect(text.contains("](\(file))"), "\(file) is not in the index") }
    }
}
