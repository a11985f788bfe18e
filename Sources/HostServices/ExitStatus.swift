/// The exit codes of the commands, after sysexits.h.
package enum ExitStatus: Int32, Sendable {
    /// A required service is unavailable, and the command was not asked to wait for it.
    case unavailable = 69
    /// An internal error.
    case software = 70
    /// The configuration is not valid.
    case configuration = 78
}

/// Ends the program with a message and an exit code that a script can use.
package struct CommandFailure: Error, CustomStringConvertible {
    /// The exit code.
    package var status: ExitStatus
    /// What happened and what to do, for standard error.
    package var description: String

    package init(_ status: ExitStatus, _ description: String) {
        self.status = status
        self.description = description
    }
}
