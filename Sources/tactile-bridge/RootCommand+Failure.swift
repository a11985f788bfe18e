import ArgumentParser
import BridgeConfiguration
import DeviceKit
import Glibc
import HostServices
import Terminal

extension RootCommand {
    /// Prints an error to standard error, and exits with the error's status.
    static func end(_ error: any Error) -> Never {
        switch error {
        case let error as SettingsError:
            complain(error.problems.map(\.description.printable))
            Glibc.exit(ExitStatus.configuration.rawValue)
        case let error as CommandFailure:
            complain(error.description.printableLines)
            Glibc.exit(error.status.rawValue)
        case let code as ExitCode:
            finish(with: code.rawValue)
        default:
            // The argument parser handles help, the version and invalid usage (exit code 64). An error that it does not
            // recognize is an internal error.
            guard exitCode(for: error) != .failure else {
                complain("internal error: \(error)".printableLines)
                Glibc.exit(ExitStatus.software.rawValue)
            }
            let code = exitCode(for: error)
            guard !code.isSuccess else {
                print(fullMessage(for: error))
                finish(with: code.rawValue)
            }
            complain(fullMessage(for: error).printableLines)
            Glibc.exit(code.rawValue)
        }
    }

    /// Rejects an unknown subcommand, with a suggestion.
    static func checkNames(_ words: some Sequence<String>) throws(CommandFailure) {
        var command: any ParsableCommand.Type = RootCommand.self
        for word in words {
            let known = command.configuration.subcommands
            guard !known.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
            if let next = known.first(where: { $0._commandName == word }) {
                command = next
                continue
            }
            let names = known.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
            let advice = Nearest.advice(on: word, among: names, allowed: names.joined(separator: " "))
            throw usage("there is no command \(word); \(advice)", of: command)
        }
    }

    /// Returns an error about invalid usage that a command detects while it runs.
    static func usage(_ error: some Error, of command: any ParsableCommand.Type) -> CommandFailure {
        usage(message(for: error), of: command)
    }

    private static func usage(_ message: String, of command: any ParsableCommand.Type) -> CommandFailure {
        let usage = usageString(for: command)
        let name = usage.split(separator: " ").prefix { !$0.hasPrefix("[") && !$0.hasPrefix("<") }
            .joined(separator: " ")
        return CommandFailure(
            .usage,
            "Error: \(message)\nUsage: \(usage)\n  See '\(name) --help' for more information.")
    }

    /// Exits after standard output is flushed.
    private static func finish(with code: Int32) -> Never {
        do {
            try StandardOutput.flush()
        } catch {
            end(error)
        }
        Glibc.exit(code)
    }

    static func complain(_ lines: [String]) {
        let bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
