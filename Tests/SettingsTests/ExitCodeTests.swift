import Foundation
import Testing

@Suite("The exit codes, of the built command")
struct ExitCodeTests {
    /// How a command ended and what it said.
    private struct Outcome {
        var code: Int32
        var output: String
        var error: String
    }

    /// Runs the command that was built beside the tests; its output fits a pipe.
    private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Outcome {
        let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let (output, error) = (Pipe(), Pipe())
        let process = Process()
        process.executableURL = folder.appending(path: "tactile-bridge")
        process.arguments = arguments
        // Besides what the test says, only what a sanitizer is told.
        process.environment = ProcessInfo.processInfo.environment
            .filter { $0.key.hasSuffix("SAN_OPTIONS") }
            .merging(environment) { $1 }
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

    @Test("A valid configuration: 0, and what holds on standard output")
    func valid() async throws {
        try await ConfigurationScope.with { scope in
            let path = try scope.write("c.yaml", "mqtt: { host: broker }\n")
            let outcome = try run(
                ["check-config", "--config", path], ["TACTILE_BRIDGE_MQTT_KEEP_ALIVE_S": "7"])
            #expect(outcome.code == 0 && outcome.error.isEmpty)
            #expect(outcome.output.contains(/mqtt\.host +broker +\/.*c\.yaml:1\n/))
            #expect(outcome.output.contains(/mqtt\.keep_alive_s +7 +TACTILE_BRIDGE_MQTT_KEEP_ALIVE_S\n/))
        }
    }

    @Test(
        "An invalid configuration: 78, and what is wrong on standard error",
        arguments: ["check-config", "run"])
    func invalid(_ command: String) async throws {
        try await ConfigurationScope.with { scope in
            let path = try scope.write("c.yaml", "mqtt: { prot: 1 }\nlog: { level: 7 }\n")
            let outcome = try run([command, "--config", path])
            #expect(outcome.code == 78 && outcome.output.isEmpty)
            #expect(outcome.error.split(separator: "\n").count == 2)
            #expect(outcome.error.hasPrefix("\(path):1:9: mqtt.prot: not known here; did you mean port?"))
        }
    }

    @Test(
        "Wrong usage: 64",
        arguments: [["walk"], ["run", "--log-level", "loud"], ["topics", "--family", "none"]])
    func usage(_ arguments: [String]) throws {
        let outcome = try run(arguments)
        #expect(
            outcome.code == 64 && outcome.output.isEmpty && outcome.error.contains("Usage: tactile-bridge"))
    }

    @Test("Help and version: 0", arguments: [["--version"], ["--help"], ["topics", "--help"]])
    func clean(_ arguments: [String]) throws {
        let outcome = try run(arguments)
        #expect(outcome.code == 0 && outcome.error.isEmpty && !outcome.output.isEmpty)
    }
}
