/// For how long the weapon runs without another command.
struct RobotWeaponLease: Hashable, Sendable {
    /// Until when it runs whatever the wheels do.
    var end: Duration
    /// Until when it goes on while the robot is driven; nil for a command that named its own time.
    var limit: Duration?

    /// When it ends, beside a drive command that holds until a moment.
    func end(driving: Duration?) -> Duration {
        guard let limit, let driving else { return end }
        return max(end, min(driving, limit))
    }
}
