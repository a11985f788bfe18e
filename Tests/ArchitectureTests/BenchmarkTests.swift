import Foundation
import Testing

@Suite("The benchmark's own code")
struct BenchmarkTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("It sums up and writes figures as its checks say")
    func report() throws {
        let errors = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-B", "Tests/Benchmarks/test_report.py"]
        process.currentDirectoryURL = Self.root
        process.standardError = errors
        try process.run()
        let said = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(String(decoding: said, as: UTF8.self))")
    }

    @Test("Its page has one place for the figures, and the drawing that they show")
    func page() throws {
        let folder = Self.root.appending(path: "docs/measurements")
        let page = try String(contentsOf: folder.appending(path: "performance.md"), encoding: .utf8)
        let lines = page.split(separator: "\n")
        for mark in ["<!-- bench: begin -->", "<!-- bench: end -->"] {
            #expect(lines.count { $0 == mark } == 1)
        }
        #expect(page.contains("](cost.svg)"))
        #expect(FileManager.default.fileExists(atPath: folder.appending(path: "cost.svg").path))
    }
}
