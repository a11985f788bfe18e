import Logging

/// Decides the log level of the lines about a missing connection. Each kind of failure is logged at a high level once,
/// and again every few minutes while it lasts, so that a user finds it in the log.
struct LoggedFailures {
    /// The interval after which a lasting failure is logged again.
    static let interval = Duration.seconds(300)

    private var last: (code: MQTTError.Code, time: Duration)?

    /// Records a failure; returns its log level.
    mutating func level(of code: MQTTError.Code, at now: Duration) -> Logger.Level {
        if let last, last.code == code, now - last.time < Self.interval, code != .sessionTakenOver {
            return .debug
        }
        last = (code, now)
        return code == .sessionTakenOver ? .error : .warning
    }
}
