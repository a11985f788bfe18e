/// Counts how often a link has proved itself against one link of another bridge.
struct ProofCount: Sendable {
    /// After so many proofs the ages of the links are compared: a claimant that answers a proof has a link that works.
    static let limit = 1

    private var bridge: String?
    private var since: String?
    private var proofs = 0

    /// The link proved itself.
    ///
    /// - Returns: Whether the ages of the two links are to be compared.
    mutating func proved(against claim: Claim) -> Bool {
        if bridge != claim.bridge || since != claim.since {
            (bridge, since, proofs) = (claim.bridge, claim.since, 0)
        }
        proofs += 1
        return proofs > Self.limit
    }
}

/// Spaces the answers to claims that are older than one's own.
///
/// Two bridges that answer each message of the other one, some of which come twice, would send more and more.
struct Answers: Sendable {
    /// The least time from one answer to the next.
    static let pause = Duration.milliseconds(250)

    private var last: Duration?

    /// Something is to be answered.
    ///
    /// - Returns: When; nil for now, which is counted.
    mutating func due(at now: Duration) -> Duration? {
        if let last, now - last < Self.pause { return last + Self.pause }
        last = now
        return nil
    }
}
