/// Limits work whose cost grows with the number of devices to a thirtieth of the time. Cheap work runs immediately and
/// expensive work rarely, but a pause is at most three seconds.
package struct DutyLimiter: Sendable {
    private static let share = 30
    private static let longest = Duration.seconds(3)

    private var rest: Duration?

    /// Returns when the work may run again; nil for immediately.
    package func pause(at now: Duration) -> Duration? { rest.flatMap { $0 > now ? $0 : nil } }

    /// Records that the work took a time and ended at a moment.
    package mutating func took(_ time: Duration, until end: Duration) {
        rest = end + min(time * (Self.share - 1), Self.longest)
    }
}
