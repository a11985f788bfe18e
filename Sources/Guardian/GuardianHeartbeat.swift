/// Knows when the guardian must have answered: a pure value.
///
/// The first will of a device is followed by a ping at once: until that is answered, the device takes nothing that moves
/// it. After that a ping each second, answered within two more, so a guardian that hangs is replaced at most 3 s later. That costs
/// the guardian 0.2 ms of processor time a second (measured in a debug build), and the bridge about as much, and only
/// while there is a will to be lost.
package struct GuardianHeartbeat: Hashable, Sendable {
    /// What is to be done.
    enum Action: Hashable, Sendable {
        /// Nothing yet.
        case wait
        /// Send a ping.
        case ping(UInt64)
        /// The guardian does not answer: end it.
        case replace
    }

    /// How long after an answer the next ping is sent.
    static let period = Duration.seconds(1)
    /// How long the guardian may take for its answer.
    static let patience = Duration.seconds(2)
    /// By how much the bridge itself may be late and still judge: otherwise the answer had no time either.
    static let tolerance = Duration.milliseconds(250)

    private var lastNumber: UInt64
    private var isAwaited = false
    /// Whether another ping is due as soon as the one under way is answered.
    private var isWantedAgain = false
    /// When it must be looked at again.
    private(set) var nextCheck: Duration

    /// - Parameters:
    ///   - now: When the guardian was started, or a will was there again.
    ///   - lastNumber: The number of the last ping before: an answer to that one must not count for another.
    init(at now: Duration, lastNumber: UInt64 = 0) {
        self.lastNumber = lastNumber
        nextCheck = now + Self.period
    }

    /// The moment of ``nextCheck`` has come; what the guardian has said until now was taken before.
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

    /// Something was sent whose arrival an answer must prove: the next ping is due at once, or as soon as the one under
    /// way is answered.
    mutating func ask(at now: Duration) {
        if isAwaited { isWantedAgain = true } else { nextCheck = now }
    }

    mutating func answered(_ number: UInt64, at now: Duration) {
        guard isAwaited, number == lastNumber else { return }
        (isAwaited, nextCheck) = (false, isWantedAgain ? now : now + Self.period)
        isWantedAgain = false
    }
}
