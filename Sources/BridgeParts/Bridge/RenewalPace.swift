/// How soon the bridge leaves a connection to the broker on which messages piled up.
///
/// A new connection is work too: all that the broker has in store comes again. A bridge that has too much to do and
/// connects anew each time that it was late never gets done. So the first ones are made at once, and those that follow
/// soon wait the longer the more there were; robots obey nothing but stops meanwhile.
package struct RenewalPace: Sendable {
    /// How many are made at once.
    package static let atOnce = 2
    /// How long there must be none until it begins anew.
    package static let calm = Duration.seconds(60)
    private static let first = Duration.seconds(2)
    private static let limit = Duration.seconds(32)

    private var count = 0
    private var last: Duration?

    /// How long to wait with the next one.
    package mutating func next(at now: Duration) -> Duration {
        if let last, now - last > Self.calm { count = 0 }
        count += 1
        let pause =
            count > Self.atOnce
            ? Supervision.delay(attempt: count - Self.atOnce, first: Self.first, limit: Self.limit) : .zero
        last = now + pause
        return pause
    }
}
