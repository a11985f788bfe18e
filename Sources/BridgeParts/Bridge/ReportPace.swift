/// How often the states are published that tell of all devices: at once behind a quiet time, and else the more rarely the
/// more devices they tell of. They are as long as there are devices, so the devices of a bridge that come one after the
/// other would have it say the square of their number.
///
/// What is new in a pause is told at its end, so nothing is told later than that.
package struct ReportPace: Sendable {
    /// How long a pause each device is worth.
    package static let device = Duration.milliseconds(10)
    /// A person who looks at the list waits no longer.
    package static let longest = Duration.seconds(10)
    /// A pause that is not made: a few reports of a few devices follow each other at once.
    package static let allowance = Duration.milliseconds(100)
    /// The share of the bridge's time that the reports take at most, until the pause is the longest: one in so many.
    private static let share = 10

    /// When all is made up for that was published.
    private var rest: Duration?

    /// Until when to wait before they are published again; nil for now.
    package func pause(at now: Duration) -> Duration? {
        guard let rest, rest - Self.allowance > now else { return nil }
        return rest - Self.allowance
    }

    /// They were published.
    package mutating func published(_ devices: Int, from begin: Duration, to end: Duration) {
        let worth = max(Self.device * devices, (end - begin) * (Self.share - 1))
        rest = max(rest ?? end, end) + min(worth, Self.longest)
    }
}
