import BlueZSimulator
import DBus
import EventLoop
import Glibc
import JSON
import VirtualDevices

/// A run of the simulator with devices in range of several hosts.
struct AirRun {
    let scenario: Scenario
    let isWorn: Bool

    func callAsFunction() async throws {
        signal(SIGPIPE, SIG_IGN)
        let happenings = Happenings()
        let sink = happenings.sink
        happenings.listenToSignals()
        var own: [OwnBus] = []
        defer { for bus in own { bus.stop() } }
        var places: [AirServer.Place] = []
        var addresses = Object()
        for (number, host) in scenario.hosts.enumerated() {
            // If the private bus of a host ends, the simulated BlueZ of that host reports it. The other hosts continue.
            if host.bus == nil { own.append(try OwnBus {}) }
            let address = host.bus ?? own.last?.address ?? "system"
            addresses[host.name] = .string(address)
            places.append(place(host, number, on: address))
        }
        let loop = try EventLoop.start(name: "simulator")
        defer { loop.stop() }
        let server = AirServer(World(scenario), places: places, loop: loop) { sink.yield(.report($0)) }
        try await server.start()

        var output: any Output = isWorn ? WearOutput(scenario) : JSONOutput()
        output.begin()
        output.ready(["hosts": .object(addresses)])
        happenings.listenToInput()
        _ = await happenings.passOn(to: server, output: &output)
        output.end()
        await server.stop()
    }

    private func place(_ host: Scenario.Host, _ number: Int, on address: String) -> AirServer.Place {
        var radio = scenario.radio
        radio.host = radio.host.map { min(255, $0 + number) } ?? number
        radio.memoryFile = radio.memoryFile.map { "\($0).\(host.name)" }
        var options = LookAlike.Options(radio)
        options.supervisionTimeout = host.supervisionTimeout ?? options.supervisionTimeout
        return AirServer.Place(
            bus: DBus.Address(address),
            host: Air.Host(host.name, supervision: options.supervisionTimeout, reaches: host.reaches),
            options: options, bonds: host.bonds)
    }
}
