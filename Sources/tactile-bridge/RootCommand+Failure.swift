import ArgumentParser
import BridgeConfiguration
import Glibc
import HostServices
import Terminal

extension RootCommand {
    /// Says on standard error what went wrong, and ends the program with the code for it.
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
            // Help, the version and wrong usage (64) are the parser's; what it does not know is our mistake.
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

    /// Ends the program, once what it printed is written.
    private static func finish(with code: Int32) -> Never {
        do {
            try StandardOutput.flush()
        } catch {
            end(error)
        }
        Glibc.exit(code)
    }

    /// Writes lines to standard error.
    static func complain(_ lines: [String]) {
        let bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
