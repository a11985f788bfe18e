import ArgumentParser
import BlueZSimulator
import VirtualDevices

/// The command `tactile-simulator air`: the devices between several hosts, each with its own bus.
struct AirCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "air",
        abstract: "Puts the devices between several hosts: each hears them, one holds a device.",
        discussion: """
            Every host has a look-alike of BlueZ on a bus of its own. Without options there are two, A and B, \
            each on a private bus: give the printed addresses to two bridges as bluetooth.bus.

            All lines of 'tactile-simulator' hold, and:
              move belt A -50 B -80            how strongly they hear it, in dBm
              move belt A off                  out of reach of A
              host A freeze                    it stands still, as if cut off
              host A thaw                      it goes on
              host A adapter off               the lines about BlueZ, for one host
              host A bluez ignore WriteValue

            A link to a host that stands still or is out of reach hangs for the supervision time. A device that is \
            held by as many hosts as it takes ('centrals', default 1) does not advertise and \
            refuses others.

            --scenario, --wear, --json and --log-level mean what they do without 'air'.
            """)

    @Option(
        help: ArgumentHelp(
            "A host, on this bus or on a private one; once for each. Default: those of the scenario, or A and B.",
            valueName: "name[=address]"))
    var host: [String] = []

    @ParentCommand var alone: SimulatorCommand

    func validate() throws {
        let strange = [
            alone.bus.map { _ in "--bus" }, alone.replay.map { _ in "--replay" },
            alone.adapter.isEmpty ? nil : "--adapter",
        ].compactMap { $0 }
        if let option = strange.first {
            throw ValidationError(
                "\(option) is not for 'air'; expected --host, --scenario, --wear, --json or --log-level.")
        }
        _ = try named()
    }

    func run() async throws {
        try await SimulatorCommand.carryOut(logLevel: alone.logLevel) {
            var scenario = try alone.readScenario()
            scenario.hosts = try hosts(of: scenario)
            try await AirRun(scenario: scenario, isWorn: alone.isWorn)()
        }
    }

    /// The hosts of a scenario, on the buses of the options.
    func hosts(of scenario: Scenario) throws -> [Scenario.Host] {
        let named = try named()
        guard !scenario.hosts.isEmpty else {
            return named.isEmpty ? ["A", "B"].map { Scenario.Host(name: $0) } : named
        }
        var hosts = scenario.hosts
        for option in named {
            guard let index = hosts.firstIndex(where: { $0.name == option.name }) else {
                let known = hosts.map(\.name).joined(separator: ", ")
                throw ScenarioError(
                    .invalidValue, file: alone.scenario ?? "", line: nil, key: "hosts",
                    message: "has no '\(option.name)', which --host names; there are: \(known)")
            }
            hosts[index].bus = option.bus
        }
        return hosts
    }

    private func named() throws -> [Scenario.Host] {
        guard host.count <= Scenario.Host.most else {
            throw ValidationError("\(host.count) times --host; expected at most \(Scenario.Host.most).")
        }
        var hosts: [Scenario.Host] = []
        for text in host {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard Scenario.Host.isName(name), parts.count == 1 || !parts[1].isEmpty else {
                throw ValidationError(
                    "--host \(text): expected \(Scenario.Host.expectedName), alone or with '=' and the address of a bus."
                )
            }
            guard !hosts.contains(where: { $0.name == name }) else {
                throw ValidationError("--host \(name) stands there twice; expected once.")
            }
            hosts.append(Scenario.Host(name: name, bus: parts.count == 2 ? String(parts[1]) : nil))
        }
        return hosts
    }
}
