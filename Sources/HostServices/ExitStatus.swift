/// The exit codes of the commands, after sysexits.h.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    /// The command succeeded.
    case success = 0
    /// `doctor` found a problem.
    case problem = 1
    /// A command, an option or an argument is unknown.
    case usage = 64
    /// A required service is unavailable, and the command does not wait for it.
    case unavailable = 69
    /// An internal error.
    case software = 70
    /// The output could not be written.
    case output = 74
    /// The configuration is invalid.
    case configuration = 78
}

extension ExitStatus {
    /// The meaning, in a few words.
    package var meaning: String {
        switch self {
        case .success: "orderly end"
        case .problem: "doctor found a problem"
        case .usage: "wrong usage"
        case .unavailable: "a required service is unavailable"
        case .software: "internal error"
        case .output: "the output could not be written"
        case .configuration: "invalid configuration"
        }
    }

    /// The action for the user; empty for none.
    package var remedy: String {
        switch self {
        case .success: ""
        case .problem: "Type what doctor prints behind the arrow."
        case .usage: "Correct the command; standard error has its usage."
        case .unavailable: "Start the service that standard error names; doctor says how."
        case .software: "Report it with what standard error has."
        case .output: "Make room on the disk that standard output goes to; what is there is not whole."
        case .configuration: "Correct the file; standard error names line, key and what is allowed."
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
