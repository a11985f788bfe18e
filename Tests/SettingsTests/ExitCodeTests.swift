import Foundation
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
}
