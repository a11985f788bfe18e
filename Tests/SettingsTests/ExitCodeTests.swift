import Foundation
import Glibc
import Testing

@Suite("The exit codes, of the built command")
struct ExitCodeTests {
    @Test("A valid configuration: 0, and what holds on standard output")
    func valid() async throws {
        try await ConfigurationScope.with { scope in
            let path = try scope.write("c.yaml", "mqtt: { host: broker }\n")
            let outcome = try BuiltCommand.run(
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
            let outcome = try BuiltCommand.run([command, "--config", path])
            #expect(outcome.code == 78 && outcome.output.isEmpty)
            #expect(outcome.error.split(separator: "\n").count == 2)
            #expect(outcome.error.hasPrefix("\(path):1:9: mqtt.prot: not known here; did you mean port?"))
        }
    }

    @Test(
        "An output that cannot be written: 74, of every command that prints",
        arguments: [
            ["--help"], ["--version"], ["help", "run"], ["acl"], ["acl", "--format", "ejabberd"],
            ["check-config"], ["check-config", "--template"], ["check-config", "--json"],
            ["check-device", "DEVICES/heart.yaml"],
            ["check-device", "DEVICES/heart.yaml", "--decode", "measurement", "0648"], ["discovery"],
            ["discovery", "--format", "json"], ["discovery", "--format", "markdown"],
            ["doctor", "--config", "/nonexistent.yaml"], ["haptic", "show", "gradual"],
            ["reference", "error-codes"],
            ["topics"], ["topics", "--format", "asyncapi"], ["topics", "--format", "json"],
            ["topics", "--format", "jsonschema"], ["topics", "--format", "markdown"],
            ["--generate-completion-script", "bash"],
        ])
    func fullDisk(_ arguments: [String]) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../config/devices")
        let process = BuiltCommand.process(arguments.map { $0.replacing("DEVICES", with: folder.path) })
        let error = Pipe()
        process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
        process.standardError = error
        try process.run()
        let complaint = String(decoding: try error.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 74)
        #expect(complaint.hasPrefix("standard output cannot be written"))
    }

    @Test(
        "A FIFO beside the configuration and a text of nested brackets are refused at once",
        .timeLimit(.minutes(1)))
    func refusedAtOnce() async throws {
        try await ConfigurationScope.with { scope in
            try FileManager.default.createDirectory(
                atPath: "\(scope.folder)/conf.d", withIntermediateDirectories: true)
            let path = try scope.write("c.yaml", "")
            #expect(mkfifo("\(scope.folder)/conf.d/a.yaml", 0o600) == 0)
            let time = ContinuousClock().measure {
                let outcome = try? BuiltCommand.run(["check-config", "--config", path])
                #expect(outcome?.code == 78)
                #expect(
                    outcome?.error.hasSuffix("a.yaml: not a regular file; allowed: a file in YAML\n") == true)
            }
            try FileManager.default.removeItem(atPath: "\(scope.folder)/conf.d")
            try scope.write("c.yaml", String(repeating: "[", count: 100_000))
            let second = ContinuousClock().measure {
                let outcome = try? BuiltCommand.run(["check-config", "--config", path])
                #expect(outcome?.code == 78)
                #expect(outcome?.error.hasSuffix(":1:101: values in values, more than 100 deep\n") == true)
            }
            #expect(time < .seconds(4) && second < .seconds(4))
        }
    }
}
