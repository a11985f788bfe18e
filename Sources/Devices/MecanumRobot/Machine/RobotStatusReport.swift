import DeviceKit

/// Publishes the status on change: immediately after a stop, otherwise at most five times a second.
struct RobotStatusReport: Sendable {
    static let timer: TimerName = "status"
    /// The shortest time between two reports, except after stops.
    private static let interval = Duration.milliseconds(200)

    private var published: (status: RobotStatus, time: Duration)?
    /// Whether the next change is published immediately.
    var isUrgent = false

    /// - Parameter remainder: The remainder of the drive command's lease. This value decreases all the time, so a new
    ///   value alone is not published.
    mutating func publish(
        _ status: RobotStatus, remainder: Duration?, at now: Duration, _ effects: inout Effects
    ) {
        defer { isUrgent = false }
        guard status != published?.status else { return }
        if !isUrgent, let time = published?.time, now - time < Self.interval {
            return effects.startTimer(Self.timer, after: time + Self.interval - now)
        }
        published = (status, now)
        effects.cancelTimer(Self.timer)
        var status = status
        status.lease = remainder.map { Int($0 / .milliseconds(1)) } ?? 0
        RobotFamily.status.publish(status, &effects)
    }
}
