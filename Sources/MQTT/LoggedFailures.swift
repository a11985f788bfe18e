import Logging

/// Decides how loudly it is logged that there is no connection: a kind of failure once, and again every few
/// minutes, so that a reader of the log finds it later.
struct LoggedFailures {
    /// After which time a failure that lasts is logged again.
    static let interval = Duration.seconds(300)

    private var last: (code: MQTTError.Code, time: Duration)?

    /// Takes note of a failure.
    mutating func level(of code: MQTTError.Code, at now: Duration) -> Logger.Level {
        if let last, last.code == code, now - last.time < Self.interval, code != .sessionTakenOver {
            return .debug
        }
        last = (code, now)
        return code == .sessionTakenOver ? .error : .warning
    }
}
