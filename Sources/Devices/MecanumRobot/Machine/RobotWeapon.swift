import DeviceKit

/// The lease of the weapon, which determines how long the weapon runs.
struct RobotWeapon: Hashable, Sendable {
    struct Time: Hashable, Sendable {
        /// Until when the weapon runs even if the robot is not driven.
        var end: Duration
        /// The latest time until which drive commands can keep the weapon running; nil if the weapon command had a
        /// duration.
        var limit: Duration?
    }

    static let timer: TimerName = "weapon"

    private var time: Time?
    var lease = Lease()

    /// Starts the lease. The caller immediately writes the switch that starts the weapon.
    mutating func start(_ time: Time, driving: Duration?, at now: Duration, _ effects: inout Effects) {
        self.time = time
        follow(driving: driving, at: now, &effects)
        lease.written()
    }

    /// Extends the lease to the end of the newest drive command, at most to ``Time/limit``.
    mutating func follow(driving: Duration?, at now: Duration, _ effects: inout Effects) {
        guard let time else { return }
        var end = time.end
        if let limit = time.limit, let driving { end = max(end, min(driving, limit)) }
        lease.renew(until: end)
        effects.startTimer(Self.timer, after: max(.zero, end - now))
    }

    /// Ends the lease. Its deadline for the guardian remains until the switch is written to the robot.
    mutating func stop(_ effects: inout Effects) {
        time = nil
        lease.release()
        effects.cancelTimer(Self.timer)
    }
}
