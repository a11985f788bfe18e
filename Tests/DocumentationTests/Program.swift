import Foundation

/// The programs that were built with the tests.
enum Program {
    /// The exit status and the output of a command.
    struct Outcome {
        var status: Int32
        /// Standard output and standard error, without trailing blanks and trailing empty lines.
        var lines: [String]
    }

    /// The folder of the two programs; `TACTILE_BRIDGE_BIN` replaces it.
    static let folder =
        ProcessInfo.processInfo.environment["TACTILE_BRIDGE_BIN"].map { URL(filePath: $0) }
        ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    /// Runs a shell line in a new folder that contains the repository's `config`, with the programs in the search path.
    static func run(_ line: String) throws -> Outcome {
        let work = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: work) }
        try FileManager.default.copyItem(
            at: Repository.root.appending(path: "config"), to: work.appending(path: "config"))
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", line]
        process.currentDirectoryURL = work
        process.environment = ProcessInfo.processInfo.environment
            .filter { $0.key.hasSuffix("SAN_OPTIONS") }
            .merging([
                "PATH": "\(folder.path):/usr/bin:/bin", "HOME": work.path, "LC_ALL": "C.UTF-8",
                "COLUMNS": "80",
            ]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        var lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.reversed().drop { $0 == " " }.reversed()) }
        while lines.last == "" { lines.removeLast() }
        return Outcome(status: process.terminationStatus, lines: lines)
    }
}
