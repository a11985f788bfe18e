/// Counts the advertisements that speak against a claim: a peripheral with a link does not advertise.
///
/// Some peripherals take two centrals and advertise all the time. So a bridge that repeats its claim after it was
/// proved wrong is believed from then on.
struct AirProof: Sendable {
    /// So much newer than the claim an advertisement must be.
    static let delay = Duration.seconds(1)
    /// So many speak against it.
    static let count = 2

    private var heardAt = Duration.zero
    private var advertisements = 0
    private var believed: Claim.Rank?

    /// A claim arrived.
    mutating func heard(_ claim: Claim, at now: Duration) {
        if advertisements >= Self.count, claim.state == .linked, !claim.isStored { believed = claim.rank }
        heardAt = now
        advertisements = 0
    }

    /// The device was heard to advertise.
    ///
    /// - Returns: Whether the claim is void from now on.
    mutating func advertised(_ claim: Claim, at now: Duration) -> Bool {
        guard believed != claim.rank, now - heardAt >= Self.delay, advertisements < Self.count else {
            return false
        }
        advertisements += 1
        return advertisements == Self.count
    }

    /// Whether the claim is void.
    func isVoid(_ claim: Claim) -> Bool { claim.state == .linked && advertisements >= Self.count }
}
