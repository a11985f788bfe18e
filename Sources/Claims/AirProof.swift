/// Counts the advertisements that contradict a claim. A peripheral with a link does not advertise, so its
/// advertisements show that a bridge that claims a link has none.
///
/// Some peripherals accept two centrals and advertise all the time. So if a bridge repeats its claim after
/// advertisements voided the claim, the claim is accepted from then on. A claim with a score
/// is never voided: its bridge knows that the device advertises while it has a link.
struct AirProof: Sendable {
    /// How long after the claim an advertisement must arrive to be counted, since an earlier one may have been in
    /// transit.
    static let delay = Duration.seconds(1)
    /// The number of advertisements that void a claim.
    static let count = 2

    private var heardAt = Duration.zero
    private var advertisements = 0
    private var believed: Claim.Rank?

    /// Records a claim. Advertisements are counted from then on.
    mutating func heard(_ claim: Claim, at now: Duration) {
        if advertisements >= Self.count, claim.state == .linked, !claim.isStored { believed = claim.rank }
        heardAt = now
        advertisements = 0
    }

    /// Records an advertisement from the device.
    ///
    /// - Returns: Whether the claim is void from now on, because the device has no link.
    mutating func advertised(_ claim: Claim, at now: Duration) -> Bool {
        guard claim.score == nil, believed != claim.rank, now - heardAt >= Self.delay,
            advertisements < Self.count
        else {
            return false
        }
        advertisements += 1
        return advertisements == Self.count
    }

    func isVoid(_ claim: Claim) -> Bool { claim.state == .linked && advertisements >= Self.count }
}

extension DeviceClaim {
    /// Whether another bridge has the link although the device advertises.
    public func advertisesElsewhere(_ peers: Neighbors) -> Bool {
        foreign?.score != nil && isHeldElsewhere(peers)
    }
}
