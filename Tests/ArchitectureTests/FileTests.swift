import Foundation
import Testing

@Suite("Rules for source files")
struct FileTests {
    private static let maximumLines = 300

    @Test("No source file is too long", arguments: ["Sources", "Tests"])
    func length(_ folder: String) throws {
        let files = try SourceFile.all(in: folder)
        #expect(!files.isEmpty)
        for file in files {
            let count = file.lines.count - (file.text.hasSuffix("\n") ? 1 : 0)
            #expect(
                count <= Self.maximumLines,
                "\(file.path) has \(count) lines; allowed: \(Self.maximumLines), better 200. Is it one thing?"
            )
        }
    }

    @Test("No file has a generic name")
    func names() throws {
        for file in try SourceFile.all(in: "Sources") {
            let name = URL(filePath: file.path).deletingPathExtension().lastPathComponent
            for word in ["Util", "Helper", "Manager"] where name.contains(word) {
                Issue.record("\(file.path): \(word) says nothing about what is in it")
            }
        }
    }

    @Test(
        "Unchecked annotations are only where the C libraries require them",
        arguments: ["@unchecked Sendable", "nonisolated(unsafe)"])
    func promises(_ promise: String) throws {
        let allowed = ["EventLoop", "DBus", "MQTT"].map { "Sources/\($0)/" }
        for file in try SourceFile.all(in: "Sources") where !allowed.contains(where: file.path.hasPrefix) {
            for (index, line) in file.lines.enumerated() where line.contains(promise) {
                let code = line.drop { $0 == " " }
                #expect(code.hasPrefix("//"), "\(file.path):\(index + 1): \(promise) outside \(allowed)")
            }
        }
    }

    @Test("The libraries print nothing")
    func printing() throws {
        let commands = Room.commands.map { "Sources/\($0)/" }
        for file in try SourceFile.all(in: "Sources") where !commands.contains(where: file.path.hasPrefix) {
            for (index, line) in file.lines.enumerated() {
                let code = line.drop { $0 == " " }
                #expect(!code.hasPrefix("print("), "\(file.path):\(index + 1): prints; log it or return it")
            }
        }
    }
}
