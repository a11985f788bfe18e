import Foundation
import Testing

/// The built command next to the tests, run like by a user.
enum BuiltCommand {
    /// The exit code and the output of a command.
    struct Outcome {
        var code: Int32
        var output: String
        var error: String
    }

    /// Creates a process without starting it.
    static func process(
        _ arguments: [String], _ environment: [String: String] = [:], program: String = "tactile-bridge"
    ) -> Process {
        let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let process = Process()
        process.executableURL = folder.appending(path: program)
        process.arguments = arguments
        // In addition to the test's variables, only those of sanitizers.
        process.environment = ProcessInfo.processInfo.environment
            .filter { $0.key.hasSuffix("SAN_OPTIONS") }
            .merging(environment) { $1 }
        return process
    }

    /// Runs a command to its end; its output must fit into a pipe.
    static func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Outcome {
        let process = process(arguments, environment)
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        let complained = try error.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(
            code: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
            error: String(decoding: complained, as: UTF8.self))
    }
}
