/// Decides when free memory is given back: what many devices needed while they were set up, the heap keeps. To give it
/// back takes some milliseconds, which none of them must notice.
package struct Rest: Sendable {
    /// What to do when the time has come to look.
    package enum Step: Hashable, Sendable {
        case wait(until: Duration)
        case tidy
    }

    /// How long nothing must have changed.
    package static let calm = Duration.seconds(1)
    /// How long to wait where a device is busy.
    package static let patience = Duration.seconds(10)
    /// How long there is between two times, however much changes.
    package static let pause = Duration.seconds(60)

    private var lastChange = Duration.zero
    private var lastTidying: Duration?
    private var isArranged = false

    package init() {}

    /// Something of a device changed: it was set up, connected or lost.
    ///
    /// - Returns: When to look whether all stand still; nil if that is arranged.
    package mutating func changed(at now: Duration) -> Duration? {
        lastChange = now
        guard !isArranged else { return nil }
        isArranged = true
        return next
    }

    /// The time has come to look.
    ///
    /// - Parameter isBusy: Whether a device moves, is made ready, or works on a command.
    package mutating func decide(at now: Duration, isBusy: @autoclosure () -> Bool) -> Step {
        if now < next { return .wait(until: next) }
        if isBusy() { return .wait(until: now + Self.patience) }
        (lastTidying, isArranged) = (now, false)
        return .tidy
    }

    private var next: Duration {
        let calm = lastChange + Self.calm
        return lastTidying.map { max(calm, $0 + Self.pause) } ?? calm
    }
}
