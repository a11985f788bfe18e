import Foundation
import Testing

@Suite("The code of the benchmark")
struct BenchmarkTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("The report's own checks pass: it summarizes and writes measurements")
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

    @Test("The page has one place for the measurements, and the drawing shows the same values")
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
