import ArgumentParser
import Bluetooth
import ESPHome
import EventLoop
import Glibc
import HostServices
import JSON
import ProxySimulator
import VirtualDevices

/// The command `tactile-simulator proxy`: the devices behind an ESPHome Bluetooth proxy.
struct ProxyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Simulates an ESPHome Bluetooth proxy with the devices in range.",
        discussion: """
            Clients of ESPHome's native API, such as Home Assistant, connect to the printed address with the printed \
            key, receive the advertisements of the devices and connect to them.

            All lines about devices of 'tactile-simulator' apply, and:
              proxy wifi off                   clients receive nothing, devices disconnect
              proxy wifi on                    old clients are closed, new ones accepted
              proxy reboot                     clients are informed; it is back after 11 s
              proxy slow 300                   every message takes 300 ms in each direction
              move belt proxy -80              its signal strength, in dBm
              move belt proxy off              out of range

            --scenario, --replay, --wear, --json and --log-level have the same meaning as without 'proxy'.
            """)

    @Option(help: ArgumentHelp("Listen on this address.", valueName: "address:port"))
    var listen = "127.0.0.1:6053"

    @Option(
        help: ArgumentHelp(
            "The key of the clients: 32 bytes in base64. Default: a new key.", valueName: "base64"))
    var key: String?

    @Flag(help: "Without encryption.")
    var plain = false

    @Option(help: ArgumentHelp("The name of the node.", valueName: "name"))
    var name = "attic-proxy"

    @Option(
        help: ArgumentHelp(
            "The age of the firmware. 2026.6: the first subscriber stays; 2026.10: the newest replaces it.",
            valueName: "2026.6|2026.10"))
    var firmware = "2026.10"

    @Option(help: ArgumentHelp("The number of connections to devices, 1 to 9.", valueName: "number"))
    var slots = 3

    @Option(
        help: ArgumentHelp(
            "Disconnect a client that has sent nothing for this time, 5 to 150.", valueName: "seconds"))
    var silence = 150

    @ParentCommand var alone: SimulatorCommand

    func validate() throws {
        if alone.bus != nil || !alone.adapter.isEmpty {
            let option = alone.bus == nil ? "--adapter" : "--bus"
            throw ValidationError("\(option) is not allowed with 'proxy': it listens on a TCP port.")
        }
        // A path is the address of a Unix socket, which no proxy has.
        guard ListenAddress(listen) != nil, !listen.hasPrefix("/") else {
            throw ValidationError(
                "--listen \(listen): expected an address and a port, such as 127.0.0.1:6053.")
        }
        if key != nil, plain { throw ValidationError("--key and --plain exclude each other.") }
        if let key, EncryptionKey(base64: key) == nil {
            throw ValidationError("--key: expected \(EncryptionKey.expected).")
        }
        guard (1...31).contains(name.utf8.count),
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else { throw ValidationError("--name \(name): expected 1 to 31 letters, digits and '-'.") }
        guard Proxy.Firmware(rawValue: firmware) != nil else {
            let known = Proxy.Firmware.allCases.map(\.rawValue).joined(separator: " or ")
            throw ValidationError("--firmware \(firmware): expected \(known).")
        }
        guard (1...9).contains(slots) else { throw ValidationError("--slots \(slots): expected 1 to 9.") }
        guard (5...150).contains(silence) else {
            throw ValidationError("--silence \(silence): expected 5 to 150 seconds.")
        }
    }

    func run() async throws {
        try await SimulatorCommand.carryOut(logLevel: alone.logLevel) {
            let scenario = try alone.readScenario()
            guard scenario.hosts.isEmpty else {
                throw ScenarioError(
                    .invalidValue, file: alone.scenario ?? "", line: nil, key: "hosts",
                    message: "found, but a proxy has no hosts; start them with 'tactile-simulator air'")
            }
            try await serve(scenario)
        }
    }

    private func serve(_ scenario: Scenario) async throws {
        guard let address = ListenAddress(listen) else { return }
        signal(SIGPIPE, SIG_IGN)
        let happenings = Happenings()
        let sink = happenings.sink
        happenings.listenToSignals()
        let loop = try EventLoop.start(name: "simulator")
        defer { loop.stop() }
        let secret = plain ? nil : key.flatMap { EncryptionKey(base64: $0) } ?? EncryptionKey()
        let server = ProxyServer(
            World(scenario), at: address, key: secret, options: options, loop: loop
        ) { sink.yield(.report($0)) }
        try await server.start()

        var output: any Output = alone.isWorn ? WearOutput(scenario) : JSONOutput()
        output.begin()
        var place: Object = ["proxy": .string(listen), "name": .string(name)]
        place["mac"] = .string(options.address.description)
        if let secret { place["key"] = .string(secret.base64) }
        output.ready(place)
        happenings.listenToInput()
        _ = await happenings.passOn(to: server, output: &output)
        output.end()
        await server.stop()
    }

    private var options: Proxy.Options {
        var options = Proxy.Options()
        options.firmware = Proxy.Firmware(rawValue: firmware) ?? .v2026_10
        options.name = name
        options.slots = slots
        options.silenceTimeout = .seconds(silence)
        return options
    }
}
