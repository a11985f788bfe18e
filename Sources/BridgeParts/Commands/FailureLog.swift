package import DeviceKit
package import Logging

/// Decides at which level refused messages are logged: failed commands, requests, roster entries. A sender that repeats
/// a message fifty times a second must not fill the disk. After ten messages, one message per second is logged, with
/// the number of suppressed messages.
package struct FailureLog: Sendable {
    private var limit = RateLimit(perSecond: 1, burst: 10)
    private var unsaid = 0

    package init() {}

    /// Records a failure.
    ///
    /// - Returns: The level: warning if the device or the bridge failed, info if the sender made a mistake, debug if
    ///   too many failures were logged. Also, the number of failures that were suppressed before this failure.
    package mutating func take(_ code: CommandError.Code, at now: Duration) -> (
        level: Logger.Level, unsaid: Int
    ) {
        switch code {
        case .deviceError, .timeout, .internal: take(as: .warning, at: now)
        default: take(as: .info, at: now)
        }
    }

    /// Records a refused message with a given level; otherwise like ``take(_:at:)``.
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
