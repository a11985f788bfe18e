package import DeviceKit
package import Logging

/// Decides how loudly messages are logged that are refused: commands that fail, requests, entries of the roster. A
/// sender that repeats one fifty times a second does not fill the disk: after ten, one a second is logged, with the
/// number of those that were not.
package struct FailureLog: Sendable {
    private var limit = RateLimit(perSecond: 1, burst: 10)
    private var unsaid = 0

    package init() {}

    /// Takes note of a failure.
    ///
    /// - Returns: The level for it: a warning where the device or the bridge failed, and not the sender; debug where too
    ///   many were said. And how many were not said before it.
    package mutating func take(_ code: CommandError.Code, at now: Duration) -> (
        level: Logger.Level, unsaid: Int
    ) {
        switch code {
        case .deviceError, .timeout, .internal: take(as: .warning, at: now)
        default: take(as: .info, at: now)
        }
    }

    /// The same for a message that has a level of its own.
    package mutating func take(as level: Logger.Level, at now: Duration) -> (level: Logger.Level, unsaid: Int)
    {
        guard limit.take(at: now) else {
            unsaid += 1
            return (.debug, 0)
        }
        defer { unsaid = 0 }
        return (level, unsaid)
    }
}
