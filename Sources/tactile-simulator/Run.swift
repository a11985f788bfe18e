import BlueZSimulator
import Bluetooth
import DBus
import EventLoop
import Glibc
import JSON
import VirtualDevices

/// A run of the simulator: the bus, the server, the typed lines and the reports.
struct Run {
    let scenario: Scenario
    /// The address of the bus, as the option `--bus` contains it; nil to start a private bus.
    let bus: String?
    let adapters: [String]
    let isWorn: Bool

    func callAsFunction() async throws {
        signal(SIGPIPE, SIG_IGN)
        let happenings = Happenings()
        let sink = happenings.sink
        happenings.listenToSignals()
        let usesOwnBus = adapters.isEmpty && (bus ?? "private") == "private"
        let own = usesOwnBus ? try OwnBus { sink.yield(.busEnded) } : nil
        defer { own?.stop() }
        let address = own?.address ?? bus ?? "system"
        let loop = try EventLoop.start(name: "simulator")
        defer { loop.stop() }
        let server = makeServer(on: address, loop: loop) { sink.yield(.report($0)) }
        try await server.start()

        var output: any Output = isWorn ? WearOutput(scenario) : JSONOutput()
        output.begin()
        output.ready(
            adapters.isEmpty
                ? ["bus": .string(address)] : ["adapter": .string(adapters.joined(separator: ","))])
        happenings.listenToInput()
        let isOrderly = await happenings.passOn(to: server, output: &output)
        output.end()
        await server.stop()
        guard isOrderly else { throw OwnBus.Failure(description: "the private bus has exited") }
    }

    private func makeServer(
        on address: String, loop: EventLoop, report: @escaping @Sendable (Report) -> Void
    ) -> any PeripheralServer {
        let world = World(scenario)
        let bus = DBus.Address(address)
        guard adapters.isEmpty else {
            return RealPeripherals(bus: bus, adapters: adapters, loop: loop, world: world, report: report)
        }
        return LookAlike(
            bus: bus, loop: loop, world: world, options: LookAlike.Options(scenario.radio), report: report)
    }
}
