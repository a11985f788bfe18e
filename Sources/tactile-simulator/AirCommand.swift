import ArgumentParser
import BlueZSimulator
import VirtualDevices

/// The command `tactile-simulator air`: devices in range of several hosts, where each host has its own D-Bus.
struct AirCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "air",
        abstract: "Simulates devices in range of several hosts; one host connects each device.",
        discussion: """
            Every host has a simulated BlueZ on its own bus. Without options there are two, A and B, each on a \
            private bus: set bluetooth.bus of two bridges to the printed addresses.

            All lines of 'tactile-simulator' apply, and:
              move belt A -50 B -80            its signal strength at A and B, in dBm
              move belt A off                  out of range of A
              host A freeze                    it stops responding
              host A thaw                      it responds again
              host A adapter off               the lines about BlueZ, for one host
              host A bluez ignore WriteValue

            A connection to a host that is frozen or out of range is lost after the supervision timeout. A device \
            that has as many hosts as it supports ('centrals', default 1) does not advertise and rejects others.

            --scenario, --wear, --json and --log-level have the same meaning as without 'air'.
            """)

    @Option(
        help: ArgumentHelp(
            "A host, on this bus or on a private one; repeatable. Default: those of the scenario, or A and B.",
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
                "\(option) is not allowed with 'air'; expected --host, --scenario, --wear, --json or --log-level."
            )
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

    /// Returns the hosts of a scenario, with the buses that the options set.
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
            throw ValidationError(
                "--host is given \(host.count) times; expected at most \(Scenario.Host.most).")
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
                throw ValidationError("--host \(name) is given twice; expected once.")
            }
            hosts.append(Scenario.Host(name: name, bus: parts.count == 2 ? String(parts[1]) : nil))
        }
        return hosts
    }
}
