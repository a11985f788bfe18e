/// Limits how often the states that list all devices are published. After a quiet time, they are published immediately;
/// otherwise the pause grows with the number of devices. The size of a state also grows with the number of devices.
/// Without pauses, the cost of devices that join one by one would grow with the square of their number.
///
/// Changes during a pause are published at the end of the pause.
package struct ReportPace: Sendable {
    /// How much each listed device adds to the pause.
    package static let device = Duration.milliseconds(10)
    /// The longest pause: a user who watches the list of devices waits no longer.
    package static let longest = Duration.seconds(10)
    /// Pauses up to this length are skipped, so a few reports of few devices follow each other immediately.
    package static let allowance = Duration.milliseconds(100)
    /// The divisor of the bridge's time: publishing takes at most 1/`share` of it, until the pause reaches `longest`.
    private static let share = 10

    /// When the pause ends that all publications so far require.
    private var rest: Duration?

    /// Returns when the states may be published again; nil for immediately.
    package func pause(at now: Duration) -> Duration? {
        guard let rest, rest - Self.allowance > now else { return nil }
        return rest - Self.allowance
    }

    /// Records that the states were published: with how many devices, and how long that took.
    package mutating func published(_ devices: Int, from begin: Duration, to end: Duration) {
        let worth = max(Self.device * devices, (end - begin) * (Self.share - 1))
        rest = max(rest ?? end, end) + min(worth, Self.longest)
    }
}
