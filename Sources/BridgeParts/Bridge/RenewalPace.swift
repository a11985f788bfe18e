/// The pauses before the bridge replaces a broker connection on which messages piled up.
///
/// A new broker connection costs time too, because the broker sends all retained messages again. An overloaded bridge
/// that reconnects after each delay never catches up. So only the first ``atOnce`` replacements are immediate. The
/// pause doubles with each further replacement that soon follows. During a pause, robots obey only stops.
package struct RenewalPace: Sendable {
    /// The number of replacements without a pause.
    package static let atOnce = 2
    /// The time without a replacement after which the count restarts.
    package static let calm = Duration.seconds(60)
    private static let first = Duration.seconds(2)
    private static let limit = Duration.seconds(32)

    private var count = 0
    private var last: Duration?

    /// Returns the pause before the next replacement.
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
