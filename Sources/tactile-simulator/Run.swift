import BlueZSimulator
import Bluetooth
import DBus
import EventLoop
import Glibc
import JSON
import VirtualDevices

/// One run of the simulator: the bus, the server, the lines that are typed and the reports that are shown.
struct Run {
    let scenario: Scenario
    /// As the user wrote it.
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
        let isOrderly = await carryOn(happenings, server: server, output: &output)
        output.end()
        await server.stop()
        guard isOrderly else { throw OwnBus.Failure(description: "the private bus has ended") }
    }

    /// Passes lines on and reports back until it is ended; false if the bus has gone.
    private func carryOn(
        _ happenings: Happenings, server: any PeripheralServer, output: inout any Output
    ) async -> Bool {
        for await happening in happenings.stream {
            switch happening {
            case .report(let report): output.show(report)
            case .line(let line): await server.perform(line: line)
            case .ended: return true
            case .busEnded: return false
            }
        }
        return true
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

extension LookAlike.Options {
    /// What the scenario says, and for the rest what was measured.
    init(_ radio: Scenario.Radio) {
        self.init()
        if let count = radio.adapters, count > 1 {
            adapters += (1..<count).map { number in
                LookAlike.AdapterDescription(
                    name: "hci\(number)",
                    address: Bluetooth.Address(number: 0x02B1_7E00_0000 + UInt64(number)))
            }
        }
        if let host = radio.host, host > 0 {
            for index in adapters.indices {
                let number = adapters[index].address.number | UInt64(host) << 16
                adapters[index].address = Bluetooth.Address(number: number)
            }
        }
        connectTime = radio.connectTime ?? connectTime
        resolveTime = radio.resolveTime ?? resolveTime
        pairingTime = radio.pairingTime ?? pairingTime
        disconnectTime = radio.disconnectTime ?? disconnectTime
        connectTimeout = radio.connectTimeout ?? connectTimeout
        supervisionTimeout = radio.supervisionTimeout ?? supervisionTimeout
        deadClientTime = radio.deadClientTime ?? deadClientTime
        servicesLate = radio.servicesLate ?? servicesLate
        pairingAsksAgent = radio.pairingAsksAgent ?? pairingAsksAgent
        claimedServices = radio.claimedServices ?? claimedServices
        memoryFile = radio.memoryFile ?? memoryFile
    }
}
