/// Lets work that costs more the more devices there are take a thirtieth of the time at most, so that it is done at once
/// where it is cheap, and rarely where it is not; but every three seconds if it is due.
package struct Moderation: Sendable {
    private static let share = 30
    private static let longest = Duration.seconds(3)

    private var rest: Duration?

    /// Until when to wait before it is done again; nil for now.
    package func pause(at now: Duration) -> Duration? { rest.flatMap { $0 > now ? $0 : nil } }

    /// It was done.
    package mutating func took(_ time: Duration, until end: Duration) {
        rest = end + min(time * (Self.share - 1), Self.longest)
    }
}
