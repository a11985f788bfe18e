/// Counts how often this bridge's link was proved against another bridge's claim on the device. The count restarts if
/// that bridge claims a new link.
struct ProofCount: Sendable {
    /// After more than this number of proofs, the ages of both links are compared: the other bridge repeats its claim
    /// only if its link works too.
    static let limit = 1

    private var bridge: String?
    private var since: String?
    private var proofs = 0

    /// Records a proof of the link.
    ///
    /// - Returns: Whether to compare the ages of the two links.
    mutating func proved(against claim: Claim) -> Bool {
        if bridge != claim.bridge || since != claim.since {
            (bridge, since, proofs) = (claim.bridge, claim.since, 0)
        }
        proofs += 1
        return proofs > Self.limit
    }
}

/// Limits how often this bridge answers claims that are older than its own claim.
///
/// Some messages arrive twice. Without a limit, two bridges that answer each other's messages would send more and more
/// messages.
struct Answers: Sendable {
    /// The minimum time between two answers to claims.
    static let pause = Duration.milliseconds(250)

    private var last: Duration?

    /// Requests to answer a claim now.
    ///
    /// - Returns: When to send the answer; nil for immediately. An immediate answer is counted.
    mutating func due(at now: Duration) -> Duration? {
        if let last, now - last < Self.pause { return last + Self.pause }
        last = now
        return nil
    }
}
