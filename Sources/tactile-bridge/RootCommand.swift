import ArgumentParser
import BridgeConfiguration
import Guardian
import HostServices

/// The command `tactile-bridge`.
@main
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tactile-bridge",
        abstract: "Puts Bluetooth touch and motion devices on MQTT.",
        discussion: """
            It connects feelSpace belts and other devices through BlueZ and makes them available on an MQTT broker. \
            Without a configuration file it uses the broker on this host and waits for devices to join.

            First steps, with a broker on this host. In two terminals:
              tactile-bridge run
              mosquitto_sub -v -t 'bridge/+/event' -t 'belt/#'
            In a third terminal, let a device join. When belt/availability is online, let the belt vibrate on the \
            right and stop:
              mosquitto_pub -t "bridge/$(hostname -s)/request/permit_join" -m 60
              mosquitto_pub -t belt/mode/set -m app
              mosquitto_pub -t belt/vibrate/set -m 90
              mosquitto_pub -t belt/stop/set -m all

            \(ExitStatus.sentence)
            """,
        version: "tactile-bridge \(TactileBridge.version)",
        subcommands: [
            Run.self, CheckConfig.self, CheckDevice.self, DoctorCommand.self, DevicesCommand.self,
            ScanCommand.self, ProbeCommand.self, RecordCommand.self, FleetCommand.self,
            Topics.self, ACL.self, Discovery.self,
            ConsoleSubcommand.self,
            HapticCommand.self, GesturesCommand.self, RunWills.self, ReferenceCommand.self,
        ])

    static func main() async {
        do {
            // A guardian process starts here, before any work that a guardian does not need.
            if let options = GuardianOptions(CommandLine.arguments.dropFirst()) {
                return try await GuardianProcess.run(options)
            }
            try checkNames(CommandLine.arguments.dropFirst())
            var command = try await asyncParseAsRoot()
            do {
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch let error as ValidationError {
                throw usage(error, of: type(of: command))
            }
            try StandardOutput.flush()
        } catch {
            end(error)
        }
    }
}
