import Foundation
import Testing

@Suite("The commands in the help")
struct HelpTests {
    /// The steps before them: they create files that the commands name, but neither a bus nor a broker.
    private static let preparation = """
        set -o pipefail
        cp config/devices/buzz.yaml config/patterns/knock.yaml config/tactile-bridge.yaml .
        echo 'devices: {}' > fleet.yaml
        echo D7:A9:E0:8C:17:6E > taps.txt
        install -m 755 /dev/null install-bridge
        export TACTILE_BRIDGE_BLUETOOTH_BUS=unix:path=/nonexistent TACTILE_BRIDGE_MQTT_HOST=$PWD/nonexistent
        sudo() { shift 2; env "$@"; }

        """

    private static func help(_ subcommand: String, columns: Int) throws -> [String] {
        try Program.run("COLUMNS=\(columns) tactile-bridge \(subcommand) --help").lines
    }

    /// The names of all subcommands, including nested ones.
    private static let subcommands: [String] = {
        func below(_ name: String) -> [String] {
            let lines = (try? help(name, columns: 80)) ?? []
            let names = lines.drop { $0 != "SUBCOMMANDS:" }.dropFirst().prefix { !$0.isEmpty }
                .compactMap { $0.prefixMatch(of: #/  ([a-z-]+)(?: |$)/#)?.1 }
            return names.flatMap { [("\(name) \($0)")] + below("\(name) \($0)") }
        }
        return [""] + below("")
    }()

    /// Each command in "Examples:" and "First steps", with continued lines joined.
    private static func commands(_ help: [String]) -> [String] {
        var commands: [String] = []
        for line in help.prefix(while: { !$0.hasPrefix("USAGE:") }) where line.hasPrefix("  ") {
            if line.hasPrefix("    "), !commands.isEmpty {
                commands[commands.count - 1] += "\n" + line
            } else if line.contains(#/^ {2}(?:[A-Z_]+=\S+ )?(?:tactile-bridge|mosquitto_\w+|sudo) /#) {
                commands.append(line)
            }
        }
        return commands
    }

    @Test("The commands are the same at 80 columns and without a limit", arguments: subcommands)
    func width(_ subcommand: String) throws {
        let wide = Self.commands(try Self.help(subcommand, columns: 1000))
        #expect(Self.commands(try Self.help(subcommand, columns: 80)) == wide)
    }

    @Test("The pasted commands run as far as this machine allows", arguments: subcommands)
    func pasted(_ subcommand: String) throws {
        let commands = Self.commands(try Self.help(subcommand, columns: 80))
        for command in commands where !command.contains("mosquitto_") {
            // Output of a command to files of the host is discarded.
            let line = command.replacing(/> *\/\S+/, with: "> /dev/null")
                .replacing("tactile-bridge run", with: "timeout 1 tactile-bridge run")
                .replacing("tactile-bridge console", with: "timeout 1 tactile-bridge console")
            let outcome = try Program.run(Self.preparation + line)
            // A syntax error of the shell or of jq, a usage error, an internal error, an unknown command.
            #expect(![2, 3, 5, 64, 70, 126, 127].contains(outcome.status), "\(command): \(outcome.lines)")
        }
    }

    @Test("Nearly every subcommand has examples")
    func some() throws {
        let with = try Self.subcommands.filter { !Self.commands(try Self.help($0, columns: 80)).isEmpty }
        #expect(Self.subcommands.count > 18 && with.count > 12, "\(with)")
    }
}
