import Foundation
import Glibc
import Testing

@Suite("The exit codes of the built command")
struct ExitCodeTests {
    @Test("A valid configuration exits with status 0, with the settings on standard output")
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
        "An invalid configuration exits with status 78, with the problems on standard error",
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
        "Every command that prints exits with status 74 if its output cannot be written",
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
        #expect(complaint == "standard output cannot be written: No space left on device\n")
    }

    @Test(
        "The other programs also exit with status 74 if their output cannot be written",
        arguments: ["tactile-simulator", "tactile-demo"])
    func fullDisk(_ program: String) throws {
        let process = BuiltCommand.process(["--help"], program: program)
        process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 74)
    }

    @Test("The roles in the help of acl are indented")
    func roles() throws {
        let lines = try BuiltCommand.run(["acl", "--help"], ["COLUMNS": "80"]).output.split(separator: "\n")
        let roles = lines.drop { $0 != "Roles:" }.dropFirst().prefix { !$0.hasPrefix("Every user") }
        #expect(roles.count > 10 && roles.allSatisfy { $0.hasPrefix("  ") }, "\(roles)")
    }

    @Test(
        "A FIFO as an input file exits at once with status 78",
        .timeLimit(.minutes(1)),
        arguments: [
            ["check-config", "--config", "FIFO"], ["haptic", "show", "FIFO"], ["check-device", "FIFO"],
            ["fleet", "apply", "FIFO"], ["check-config"],
        ])
    func fifo(_ arguments: [String]) async throws {
        try await ConfigurationScope.with { scope in
            let path = "\(scope.folder)/fifo.yaml"
            #expect(mkfifo(path, 0o600) == 0)
            let time = ContinuousClock().measure {
                let outcome = try? BuiltCommand.run(
                    arguments.map { $0.replacing("FIFO", with: path) },
                    arguments == ["check-config"]
                        ? [
                            "TACTILE_BRIDGE_MQTT_USERNAME": "anna",
                            "TACTILE_BRIDGE_MQTT_PASSWORD_FILE": path,
                        ] : [:])
                #expect(outcome?.code == 78)
                #expect(outcome?.error.contains("not a regular file") == true, "\(outcome?.error ?? "")")
            }
            #expect(time < .seconds(4))
        }
    }
}
