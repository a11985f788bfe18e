import Foundation
import JSON
import Testing

@Suite("The command line, of the built command", .timeLimit(.minutes(1)))
struct CommandTests {
    @Test("run takes its file, and level and format of its log, and ends orderly on TERM")
    func run() async throws {
        try await ConfigurationScope.with { scope in
            let path = try scope.write(
                "c.yaml",
                """
                bridge: { state_directory: \(scope.folder)/state }
                mqtt: { host: \(scope.folder)/no-broker }
                bluetooth: { bus: "unix:path=\(scope.folder)/no-bus" }
                log: { level: error, format: text }
                """)
            let process = BuiltCommand.process(
                ["run", "--config", path, "--log-level", "debug", "--log-format", "journald"])
            let error = Pipe()
            process.standardOutput = FileHandle.nullDevice
            process.standardError = error
            try process.run()
            var said = Data()
            while case let new = error.fileHandleForReading.availableData, !new.isEmpty {
                said += new
                // A debug line: the bridge tried again what failed at its start.
                if said.range(of: Data("\n<7>".utf8)) != nil, process.isRunning { process.terminate() }
            }
            process.waitUntilExit()
            let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
            #expect(process.terminationStatus == 0)
            #expect(lines.first?.hasPrefix("<5>starting ") == true)
            #expect(lines.first?.contains(" configuration=\(path) ") == true)
            #expect(lines.last == "<5>ended")
        }
    }

    @Test("check-config without a file shows the defaults, not the template")
    func checkConfiguration() throws {
        let outcome = try BuiltCommand.run(["check-config"])
        #expect(outcome.code == 0 && outcome.output.contains("mqtt.keep_alive_s "))
    }

    @Test("topics takes a family and a format")
    func topics() throws {
        let outcome = try BuiltCommand.run(["topics", "--format", "json", "--family", "belt"])
        #expect(try JSON.Value(parsing: Array(outcome.output.utf8)).object?.members.map(\.key) == ["belt"])
    }

    @Test(
        "Wrong usage ends with 64 and says what is allowed",
        arguments: [
            (["run", "--log-level", "loud"], "allowed: trace debug info notice warning error critical"),
            (["run", "--log-format", "xml"], "xml"), (["run", "extra"], "extra"), (["walk"], "walk"),
            (["topics", "--family", "bet"], "did you mean belt?"), (["topics", "--format", "html"], "html"),
            (["run", "--password", "x"], "--password"), (["topics", "--family", "none"], "none"),
        ])
    func wrongUsage(_ arguments: [String], _ said: String) throws {
        let outcome = try BuiltCommand.run(arguments)
        #expect(outcome.code == 64 && outcome.output.isEmpty)
        #expect(outcome.error.contains(said) && outcome.error.contains("Usage: tactile-bridge"))
    }

    @Test(
        "Help and version end with 0",
        arguments: [["--help"], ["--version"], ["help"], ["topics", "--help"]])
    func clean(_ arguments: [String]) throws {
        let outcome = try BuiltCommand.run(arguments)
        #expect(outcome.code == 0 && outcome.error.isEmpty && outcome.output.contains("tactile-bridge"))
    }

    @Test("The systemd unit gives run-wills the folder, and nothing else")
    func unit() async throws {
        let unit = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "deploy/systemd/tactile-bridge.service"),
            encoding: .utf8)
        let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStopPost=") })
        let words = line.dropFirst("ExecStopPost=".count).split(separator: " ").map { String($0) }
        #expect(words == ["/usr/bin/tactile-bridge", "run-wills", "${RUNTIME_DIRECTORY}"])
        try await ConfigurationScope.with { scope in
            // A line of the file that cannot be understood tells that the folder was looked into.
            _ = try scope.write("wills", "?\n")
            let outcome = try BuiltCommand.run(
                words.dropFirst().map { $0 == "${RUNTIME_DIRECTORY}" ? scope.folder : $0 })
            #expect(outcome.code == 0 && outcome.error.contains("lines of the wills are not understood"))
        }
    }
}
