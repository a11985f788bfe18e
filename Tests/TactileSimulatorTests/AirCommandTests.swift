import ArgumentParser
import Testing
import VirtualDevices

@testable import BlueZSimulator
@testable import tactile_simulator

@Suite("The command tactile-simulator air")
struct AirCommandTests {
    private static func command(_ arguments: [String]) throws -> AirCommand {
        try #require(try SimulatorCommand.parseAsRoot(["air"] + arguments) as? AirCommand)
    }

    @Test("Without options there are two hosts on private buses; options name others, and buses")
    func namesHosts() throws {
        #expect(
            try Self.command([]).hosts(of: .standard) == [Scenario.Host(name: "A"), Scenario.Host(name: "B")])
        let named = try Self.command(["--host", "hall-1", "--host", "attic=unix:path=/x"])
        #expect(
            try named.hosts(of: .standard) == [
                Scenario.Host(name: "hall-1"), Scenario.Host(name: "attic", bus: "unix:path=/x"),
            ])
        var scenario = Scenario.standard
        scenario.hosts = [Scenario.Host(name: "A", reaches: ["belt": .out]), Scenario.Host(name: "B")]
        let hosts = try Self.command(["--host", "A=system"]).hosts(of: scenario)
        #expect(
            hosts == [Scenario.Host(name: "A", bus: "system", reaches: ["belt": .out]), scenario.hosts[1]])
        #expect(throws: ScenarioError.self) { _ = try Self.command(["--host", "C"]).hosts(of: scenario) }
    }

    @Test(
        "What is no host, is there twice or is for a single host is wrong usage",
        arguments: [
            ["--host", "a b"], ["--host", ""], ["--host", "A="], ["--host", "A", "--host", "A=system"],
            ["--bus", "private"], ["--adapter", "hci1"], ["--wear", "--json"], ["--log-level", "loud"],
        ])
    func refuses(arguments: [String]) {
        #expect {
            _ = try SimulatorCommand.parseAsRoot(["air"] + arguments)
        } throws: { SimulatorCommand.exitCode(for: $0) == .validationFailure }
    }

    @Test("The section hosts says where the devices are from each host")
    func readsHosts() throws {
        let scenario = try ScenarioFile.read(text: Self.scenario, file: "s.yaml")
        var attic = Scenario.Host(name: "attic", bus: "unix:path=/x", reaches: ["tap": .heard(-90)])
        attic.bonds = ["tap"]
        attic.supervisionTimeout = .seconds(5)
        #expect(
            scenario.hosts == [
                Scenario.Host(name: "hall", reaches: ["belt": .heard(-50), "robot": .out]), attic,
            ])
        #expect(scenario.devices.map(\.centrals) == [2, 1, 1])
        #expect(scenario.devices[0].steps == [.init(after: .seconds(9), act: ["move", "hall", "off"])])
    }

    private static let scenario = """
        devices: { belt: { centrals: 2, acts: [ { after: 9s, do: move hall off } ] }, tap: , robot: }
        hosts:
          hall: { rssi: { belt: -50, robot: off } }
          attic:
            bus: "unix:path=/x"
            rssi: { tap: -90 }
            bonds: [tap]
            supervision_timeout: 5s
        """

    @Test(
        "A mistake in it names file, line, key, what was found and what is allowed",
        arguments: [
            (
                "hosts:\n  A: { rssi: { belt: loud } }",
                "s.yaml:2: hosts.A.rssi.belt: 'loud' found, expected dBm from -127 to 20, or off"
            ),
            (
                "hosts:\n  A: { rssi: { hat: -50 } }",
                "s.yaml:2: hosts.A.rssi.hat: 'hat' found, expected a device: belt, tap, robot"
            ),
            ("hosts: { A: { bonds: [hat] } }", "hosts.A.bonds: 'hat' found, expected a list of devices"),
            ("hosts: { A: { rsi: {} } }", "hosts.A.rsi: unknown key; did you mean 'rssi'?"),
            ("hosts: { \"a b\": {} }", "hosts: 'a b' found, expected a name of letters"),
            ("hosts: 3", "hosts: '3' found, expected a mapping"),
            (
                "devices: { belt: { acts: [ { do: move B -50 } ] } }\nhosts: { A: {} }",
                "devices.belt.acts: no host named 'B'; there are: A"
            ),
            ("devices: { belt: { centrals: 0 } }", "'0' found, expected a whole number from 1 to 8"),
        ])
    func complains(text: String, message: String) {
        #expect {
            _ = try ScenarioFile.read(text: text, file: "s.yaml")
        } throws: { error in
            let description = (error as? ScenarioError)?.description ?? ""
            if !description.contains(message) { Issue.record("said: \(description)") }
            return description.contains(message)
        }
    }

    @Test("A line about a host names it; whatever else it says is answered with what can be said")
    func readsHostLines() {
        let hosts = ["A", "B"]
        #expect(HostLine("host B freeze", hosts: hosts) == .freeze(1, true))
        #expect(HostLine(" host A  thaw ", hosts: hosts) == .freeze(0, false))
        #expect(HostLine("host B adapter off hci0", hosts: hosts) == .daemon(1, "adapter off hci0"))
        #expect(HostLine("host A bluez stale belt", hosts: hosts) == .daemon(0, "bluez stale belt"))
        for line in ["belt press home", "", "# host A freeze"] {
            #expect(HostLine(line, hosts: hosts) == nil)
        }
        for (line, part) in [
            ("host", "'host' without a name; hosts: A, B"), ("host C thaw", "no host named 'C'"),
            ("host A", "expected 'host A freeze'"), ("host A freeze now", "expected 'host A freeze'"),
            ("adapter off", "'host A adapter off'"),
        ] {
            guard case .mistake(let message)? = HostLine(line, hosts: hosts) else {
                Issue.record("\(line) is understood")
                continue
            }
            #expect(message.contains(part), "\(message)")
        }
    }
}
