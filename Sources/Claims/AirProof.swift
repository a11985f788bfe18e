/// Counts the advertisements that contradict a claim: a peripheral with a link does not advertise.
///
/// Some peripherals accept two centrals and advertise all the time. So if a bridge repeats its claim after
/// advertisements voided the claim, the claim is accepted from then on.
struct AirProof: Sendable {
    /// The minimum time from the claim to an advertisement that is counted.
    static let delay = Duration.seconds(1)
    /// The number of advertisements that void a claim.
    static let count = 2

    private var heardAt = Duration.zero
    private var advertisements = 0
    private var believed: Claim.Rank?

    /// Records a claim.
    mutating func heard(_ claim: Claim, at now: Duration) {
        if advertisements >= Self.count, claim.state == .linked, !claim.isStored { believed = claim.rank }
        heardAt = now
        advertisements = 0
    }

    /// Records an advertisement from the device.
    ///
    /// - Returns: Whether the claim is void from now on, because the device has no link.
    mutating func advertised(_ claim: Claim, at now: Duration) -> Bool {
        guard believed != claim.rank, now - heardAt >= Self.delay, advertisements < Self.count else {
            return false
        }
        advertisements += 1
        return advertisements == Self.count
    }

    func isVoid(_ claim: Claim) -> Bool { claim.state == .linked && advertisements >= Self.count }
}
