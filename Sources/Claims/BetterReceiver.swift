/// Decides whether the bridge that publishes for a device that only advertises leaves it to a bridge that receives it
/// better: a pure state machine.
///
/// Bridges that receive the device repeat an offer each ``interval``. The second offer of a bridge counts, so that
/// neither a single weak packet nor an offer that arrives ahead of the packet itself moves the device.
public struct BetterReceiver: Sendable {
    /// The time between two offers of a bridge.
    public static let interval = Duration.seconds(30)
    /// How much better the other bridge must receive the device, in dB.
    static let margin = 8
    /// The time without an advertisement after which this bridge does not receive the device.
    static let absence = Duration.seconds(60)

    private var rival: Offer?
    private var since = Duration.zero
    private var offeredAt: Duration?

    /// Creates the state machine of a device without offers.
    public init() {}

    /// Handles an offer of another bridge.
    ///
    /// - Parameters:
    ///   - score: The score of this bridge; nil if unknown.
    ///   - heardAt: When this bridge last received the device; nil for never.
    /// - Returns: Whether the other bridge takes the device.
    public mutating func heard(_ offer: Offer, score: Int?, heardAt: Duration?, at now: Duration) -> Bool {
        let receives = heardAt.map { now - $0 < Self.absence } ?? false
        guard isBetter(offer, receives ? score : nil) else {
            if rival?.bridge == offer.bridge { rival = nil }
            return false
        }
        guard let rival, rival.bridge == offer.bridge else {
            (rival, since) = (offer, now)
            return false
        }
        return now - since >= Self.interval
    }

    /// Handles an advertisement: this bridge receives the device too.
    public mutating func advertised(score: Int?) {
        if let rival, !isBetter(rival, score) { self.rival = nil }
    }

    private func isBetter(_ offer: Offer, _ score: Int?) -> Bool {
        score.map { offer.score >= $0 + Self.margin } ?? true
    }

    /// Whether this bridge, which receives the device, offers to use it instead of another bridge now.
    public mutating func isOfferDue(at now: Duration) -> Bool {
        guard offeredAt.map({ now - $0 >= Self.interval }) ?? true else { return false }
        offeredAt = now
        return true
    }
}
