import ArgumentParser
import Bluetooth
import BridgeConfiguration
import Commands
import EventLoop
import HostServices
import Terminal

/// `tactile-bridge fleet join`
struct FleetJoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Lets the devices of a list join, each on a bridge that receives it.",
        discussion: """
            Sends permit_join with the addresses to the bridges, prints each device when it has joined, and ends joining \
            with the last device. Devices that already belong to the fleet are only listed. Exits with status 1 if a \
            device did not join in time. Requires the role operator.

            Examples:
              tactile-bridge fleet join C0:FF:EE:00:BE:01 D7:A9:E0:8C:17:6E
              tactile-bridge fleet join --file taps.txt --bridge attic --seconds 300
            """)

    @Argument(help: ArgumentHelp("The devices' addresses.", valueName: "address"))
    var addresses: [String] = []

    @Option(help: ArgumentHelp("A file with one address per line; # starts a comment.", valueName: "file"))
    var file: String?

    @Option(
        help: ArgumentHelp(
            "A bridge that lets the devices join; may be repeated. All bridges if omitted.",
            valueName: "bridge"))
    var bridge: [String] = []

    @Option(help: ArgumentHelp("How long the devices may take, 1 to 3600 s.", valueName: "seconds"))
    var seconds = 120

    @OptionGroup var source: ConfigurationOption

    func validate() throws {
        for bridge in bridge { try FleetDrain.validate(bridge) }
        for text in addresses where Address(text) == nil {
            throw ValidationError(
                "found \(text.printable); allowed: an address such as \(FleetJoin.example)")
        }
        guard !addresses.isEmpty || file != nil else {
            throw ValidationError("found no address; allowed: addresses, or --file with a list of them")
        }
        guard (1...3600).contains(seconds) else {
            throw ValidationError("--seconds: found \(seconds); allowed: 1 to 3600")
        }
    }

    func run() async throws {
        let configuration = try source.loader.load()
        let list = try addresses.compactMap { Address($0) } + listed()
        let (settings, bridges, limit) = (configuration.settings, bridge, Duration.seconds(seconds))
        let loop = try EventLoop.start(name: "requests")
        defer { loop.stop() }
        let missing = try await FleetAccess.use(configuration) { client, fleet in
            let join = try FleetJoin(list, through: bridges, of: fleet)
            for (address, name) in join.known { print("\(address): already known as \(name)".printable) }
            return try await join.run(client, settings, within: limit, on: loop) {
                print($0.printable)
            }
        }
        for address in missing { print("\(address): did not join") }
        guard missing.isEmpty else { throw ExitCode(ExitStatus.problem.rawValue) }
    }

    /// The addresses of the file.
    private func listed() throws -> [Address] {
        guard let file else { return [] }
        let bytes: [UInt8]
        do { bytes = try FileAccess.read(file, limit: 1 << 20) } catch {
            throw CommandFailure(.usage, "--file: \(error)")
        }
        let list = try FleetJoin.addresses(in: String(decoding: bytes, as: UTF8.self), of: file)
        guard !list.isEmpty, list.count <= FleetJoin.capacity else {
            throw CommandFailure(
                .usage, "\(file): found \(list.count) addresses; allowed: 1 to \(FleetJoin.capacity)")
        }
        return list
    }
}
