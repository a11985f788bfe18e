import ArgumentParser
import BridgeConfiguration
import Commands
import EventLoop
import HostServices
import Terminal

/// `tactile-bridge gestures`
struct GesturesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gestures", abstract: "Shows the gestures of devices.", subcommands: [Watch.self])

    /// `tactile-bridge gestures watch`
    struct Watch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows live what a device reports, and which actions it makes.",
            discussion: """
                It reads the messages of a running bridge from the broker until you press Ctrl-C. Each line is an \
                input as gesture files name it, a change of the layer, or an action with its inputs.

                Example:
                  tactile-bridge gestures watch tap/8c176e
                """)

        @OptionGroup var source: ConfigurationOption

        @Argument(help: "The name of the device.")
        var device: String

        func run() async throws {
            let configuration = try source.loader.load()
            RootCommand.complain(configuration.gestureProblems)
            let loop = try EventLoop.start(name: "gestures")
            defer { loop.stop() }
            try await GestureWatch(device, configuration, on: loop) { line throws(CommandFailure) in
                print(line.printable)
                try StandardOutput.flush()
            }.run()
        }
    }
}
