import DeviceKit
import Logging

/// Decides how loudly failed commands are logged. A sender that repeats one fifty times a second does not fill the disk:
/// after ten, one a second is said, and how many were not.
struct FailureLog: Sendable {
    private var limit = RateLimit(perSecond: 1, burst: 10)
    private var unsaid = 0

    /// Takes note of a failure.
    ///
    /// - Returns: The level for it: a warning where the device or the bridge failed, and not the sender; debug where too
    ///   many were said. And how many were not said before it.
    mutating func take(_ code: CommandError.Code, at now: Duration) -> (level: Logger.Level, unsaid: Int) {
        guard limit.take(at: now) else {
            unsaid += 1
            return (.debug, 0)
        }
        defer { unsaid = 0 }
        switch code {
        case .deviceError, .timeout, .internal: return (.warning, unsaid)
        default: return (.info, unsaid)
        }
    }
}
