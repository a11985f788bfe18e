/// Decides when to ping the guardian process, and when the process has failed to answer. A value without side effects.
///
/// A ping follows the first will of a device (``LinkWill``) immediately. Until the guardian answers, the device accepts
/// no motion commands. After that a ping is sent each second, and the guardian must answer within 2 s. So a guardian
/// that hangs is replaced after at most 3 s. The pings cost the guardian 0.2 ms of CPU time a second (measured in a
/// debug build), and the bridge about as much. Pings are sent only while the guardian has wills.
package struct GuardianHeartbeat: Hashable, Sendable {
    /// What the bridge must do now about the guardian process.
    enum Action: Hashable, Sendable {
        case wait
        case ping(UInt64)
        /// Kill the guardian, which does not answer, and start a new guardian.
        case replace
    }

    /// How long after an answer the next ping is sent.
    static let period = Duration.seconds(1)
    /// How long the guardian may take to answer a ping.
    static let patience = Duration.seconds(2)
    /// The maximum delay of the bridge itself at which a missing answer counts as a failure. After a longer delay, the
    /// bridge had no time to read the answer.
    static let tolerance = Duration.milliseconds(250)

    private var lastNumber: UInt64
    private var isAwaited = false
    /// Whether another ping is due as soon as the pending ping is answered.
    private var isWantedAgain = false
    /// When to call ``check(at:)`` next.
    private(set) var nextCheck: Duration

    /// - Parameters:
    ///   - now: The time at which the guardian was started, or at which the first will was sent.
    ///   - lastNumber: The number of the previous ping, so that a late answer to it is not mistaken for the answer to
    ///     another ping.
    init(at now: Duration, lastNumber: UInt64 = 0) {
        self.lastNumber = lastNumber
        nextCheck = now + Self.period
    }

    /// Handles the time ``nextCheck``; the guardian's messages up to now must have been read before.
    mutating func check(at now: Duration) -> Action {
        guard now >= nextCheck else { return .wait }
        guard isAwaited else {
            lastNumber += 1
            (isAwaited, nextCheck) = (true, now + Self.patience)
            return .ping(lastNumber)
        }
        guard now < nextCheck + Self.tolerance else {
            nextCheck = now + Self.patience
            return .wait
        }
        return .replace
    }

    /// Requests a proof that the guardian has read a message that was just sent: the next ping is due immediately, or
    /// as soon as the pending ping is answered.
    mutating func ask(at now: Duration) {
        if isAwaited { isWantedAgain = true } else { nextCheck = now }
    }

    mutating func answered(_ number: UInt64, at now: Duration) {
        guard isAwaited, number == lastNumber else { return }
        (isAwaited, nextCheck) = (false, isWantedAgain ? now : now + Self.period)
        isWantedAgain = false
    }
}
