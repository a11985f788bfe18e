/// The exit codes of the commands, after sysexits.h.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    /// The command succeeded.
    case success = 0
    /// `doctor` or `fleet check` found a problem, a device did not join, an example failed, or changes are pending.
    case problem = 1
    /// A command, an option or an argument is unknown.
    case usage = 64
    /// A required service is unavailable, and the command does not wait for it.
    case unavailable = 69
    /// An internal error: a bug in the program.
    case software = 70
    /// The output could not be written.
    case output = 74
    /// The configuration is invalid.
    case configuration = 78
}

extension ExitStatus {
    /// The meaning of the code, in a few words.
    package var meaning: String {
        switch self {
        case .success: "success"
        case .problem: "the command found a problem, or a difference"
        case .usage: "wrong usage"
        case .unavailable: "a required service is unavailable"
        case .software: "internal error"
        case .output: "the output could not be written"
        case .configuration: "invalid configuration"
        }
    }

    /// The action for the user; empty if there is none.
    package var remedy: String {
        switch self {
        case .success: ""
        case .problem: "Read the output; doctor prints the commands to run after arrows."
        case .usage: "Correct the command; standard error shows its usage."
        case .unavailable: "Start the service that standard error names; doctor shows how."
        case .software: "Report it with the text on standard error."
        case .output: "Free space on the disk that standard output is written to; the output is incomplete."
        case .configuration:
            "Correct the file; standard error names the line, the key and the allowed values."
        }
    }

    /// All codes in one sentence, for the help of the commands.
    package static var sentence: String {
        let words = allCases.map { "\($0.rawValue) \($0.meaning)" }
        return "Exit codes: \(words.joined(separator: ", "))."
    }
}

/// Ends the program with a message and an exit code for scripts.
package struct CommandFailure: Error, CustomStringConvertible {
    package var status: ExitStatus
    /// The problem and the action for the user, for standard error.
    package var description: String

    package init(_ status: ExitStatus, _ description: String) {
        self.status = status
        self.description = description
    }
}
