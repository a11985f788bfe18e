/// Decides when free heap memory is returned to the system. The heap keeps the memory that many devices needed during
/// their setup. Returning the memory takes some milliseconds, which must not delay a device.
package struct HeapTrim: Sendable {
    /// What to do when the timer expires.
    package enum Step: Hashable, Sendable {
        case wait(until: Duration)
        /// Return the free memory to the system now.
        case tidy
    }

    /// How long no device must have changed before memory is returned.
    package static let calm = Duration.seconds(1)
    /// The time until the next check if a device is busy.
    package static let patience = Duration.seconds(10)
    /// The minimum time between two returns of memory.
    package static let pause = Duration.seconds(60)

    private var lastChange = Duration.zero
    private var lastTidying: Duration?
    private var isArranged = false

    package init() {}

    /// Records a change of a device: it was set up, connected or lost.
    ///
    /// - Returns: When to call ``decide(at:isBusy:)``; nil if a call is scheduled.
    package mutating func changed(at now: Duration) -> Duration? {
        lastChange = now
        guard !isArranged else { return nil }
        isArranged = true
        return next
    }

    /// Decides what to do when the timer expires.
    ///
    /// - Parameter isBusy: Whether a device moves, is being set up, or executes a command.
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
