import ArgumentParser
import BridgeConfiguration
import Commands
import EventLoop
import HostServices
import JSON
import Terminal

/// The command `tactile-bridge record`.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Makes the running bridge record the traffic between it and its devices.",
        discussion: """
            It sends a request over the broker, and prints the path of the file that the bridge writes on its host, of \
            at most 64 MB. Addresses and typed text are recorded only with --private. Only one recording runs at a time.

            Examples:
              tactile-bridge record --seconds 120
              tactile-bridge record --device belt --device tap/a1b2c3
              tactile-bridge record --stop
              tactile-simulator --replay FILE
            """)

    @Option(help: ArgumentHelp("How long to record, in seconds, 1 to 3600.", valueName: "number"))
    var seconds = 60

    @Option(
        help: ArgumentHelp(
            "Only this device; repeatable. Default: all devices.", valueName: "name"))
    var device: [String] = []

    @Flag(help: "Also records typed text and the addresses of devices.")
    var `private` = false

    @Flag(help: "Stops the current recording.")
    var stop = false

    @OptionGroup var source: ConfigurationOption

    func validate() throws {
        guard (1...3600).contains(seconds) else {
            throw ValidationError("--seconds: found \(seconds); allowed: 1...3600")
        }
        if stop, `private` || !device.isEmpty {
            throw ValidationError(
                "--stop stops the current recording; --device and --private are not allowed with it")
        }
    }

    func run() async throws {
        let settings = try source.loader.load().settings
        let loop = try EventLoop.start(name: "record")
        defer { loop.stop() }
        let answer = try await BridgeRequest("record", to: settings).send(arguments, on: loop)
        for line in lines(answer) { print(line.printable) }
    }

    private var arguments: JSON.Object {
        if stop { return ["seconds": 0] }
        var arguments: JSON.Object = ["seconds": .integer(seconds), "private": .bool(`private`)]
        if !device.isEmpty { arguments["devices"] = .array(device.map { .string($0) }) }
        return arguments
    }

    private func lines(_ answer: JSON.Object) -> [String] {
        guard let path = answer["path"]?.string else { return ["No recording is running."] }
        if stop { return ["\(path): \(answer["bytes"]?.integer ?? 0) bytes"] }
        let standing = answer["standing"]?.array?.compactMap(\.string) ?? []
        return [
            "\(path): \(seconds) s, until \(answer["until"]?.string ?? ""); tactile-bridge record --stop stops it"
        ]
            + standing.map {
                "\($0) is already connected: to record its setup too, send the requests disconnect and connect"
            }
    }
}
