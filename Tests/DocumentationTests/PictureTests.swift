import Foundation
import Testing

@Suite("The picture of the belt")
struct PictureTests {
    @Test("The committed drawing is what deploy/picture prints")
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
        // Sixteen motors, and one of them vibrates.
        #expect(committed.matches(of: /r="13"/).count == 16)
    }
}
