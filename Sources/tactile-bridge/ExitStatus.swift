import ArgumentParser
import Glibc

/// The exit codes of the commands, after sysexits.h.
enum ExitStatus: Int32, CaseIterable, Sendable {
    /// The program did what it was asked to do.
    case success = 0
    /// `doctor` found a problem.
    case problem = 1
    /// A command, an option or an argument is not known.
    case usage = 64
    /// Something that it needs is not there, and it was not asked to wait.
    case unavailable = 69
    /// A mistake of the program.
    case software = 70
    /// The configuration is not valid.
    case configuration = 78
}

extension ExitStatus {
    /// What happened, in a few words.
    var meaning: String {
        switch self {
        case .success: "orderly end"
        case .problem: "doctor found a problem"
        case .usage: "wrong usage"
        case .unavailable: "a required service is unavailable"
        case .software: "internal error"
        case .configuration: "invalid configuration"
        }
    }

    /// What to do then; empty for nothing.
    var remedy: String {
        switch self {
        case .success: ""
        case .problem: "Type what doctor prints behind the arrow."
        case .usage: "Correct the command; standard error has its usage."
        case .unavailable: "Start the service that standard error names; doctor says how."
        case .software: "Report it with what standard error has."
        case .configuration: "Correct the file; standard error names line, key and what is allowed."
        }
    }

    /// All of them in one sentence, for the help of the commands.
    static var sentence: String {
        let words = allCases.map { "\($0.rawValue) \($0.meaning)" }
        return "Exit codes: \(words.joined(separator: ", "))."
    }
}

/// Ends the program with a message and an exit code that a script can use.
struct CommandFailure: Error, CustomStringConvertible {
    /// The exit code.
    var status: ExitStatus
    /// What happened and what to do, for standard error.
    var description: String

    init(_ status: ExitStatus, _ description: String) {
        self.status = status
        self.description = description
    }
}

extension TactileBridge {
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
            // What a command says that looks at something; its words are out.
            Glibc.exit(code.rawValue)
        default:
            // Help, the version and wrong usage (64) are the parser's; what it does not know is our mistake.
            guard exitCode(for: error) != .failure else {
                complain("internal error: \(error)".printableLines)
                Glibc.exit(ExitStatus.software.rawValue)
            }
            let code = exitCode(for: error)
            guard !code.isSuccess else { exit(withError: error) }
            complain(fullMessage(for: error).printableLines)
            Glibc.exit(code.rawValue)
        }
    }

    /// Writes lines to standard error.
    static func complain(_ lines: [String]) {
        let bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
