import DeviceKit

/// How long the weapon runs without another command.
struct RobotWeapon: Hashable, Sendable {
    struct Time: Hashable, Sendable {
        /// Until when it runs whatever the wheels do.
        var end: Duration
        /// Until when it runs while the robot is driven; nil for a command that named its own time.
        var limit: Duration?
    }

    static let timer: TimerName = "weapon"

    private var time: Time?
    var lease = Lease()

    /// Starts it; the write follows at once.
    mutating func start(_ time: Time, driving: Duration?, at now: Duration, _ effects: inout Effects) {
        self.time = time
        follow(driving: driving, at: now, &effects)
        lease.written()
    }

    /// Moves its end with the end of the newest drive command.
    mutating func follow(driving: Duration?, at now: Duration, _ effects: inout Effects) {
        guard let time else { return }
        var end = time.end
        if let limit = time.limit, let driving { end = max(end, min(driving, limit)) }
        lease.renew(until: end)
        effects.startTimer(Self.timer, after: max(.zero, end - now))
    }

    /// Ends it; the lease's deadline stays until the robot is told.
    mutating func stop(_ effects: inout Effects) {
        time = nil
        lease.release()
        effects.cancelTimer(Self.timer)
    }
}
