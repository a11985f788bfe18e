/// Several bridges can receive a device that only advertises, and one of them publishes for it. Decides whether that
/// bridge leaves the device to a bridge that receives it better: a pure state machine.
///
/// Each other bridge that receives the device repeats an offer at each ``interval``. Only its second offer counts, so
/// that neither a single weak packet nor an offer that arrives ahead of the packet itself moves the device.
public struct BetterReceiver: Sendable {
    /// How often a bridge repeats its offer while it receives the device.
    public static let interval = Duration.seconds(30)
    /// How much better the other bridge must receive the device, in dB.
    static let margin = 8
    /// After this time without an advertisement, this bridge counts as not receiving the device.
    static let absence = Duration.seconds(60)

    private var rival: Offer?
    private var since = Duration.zero
    private var offeredAt: Duration?

    /// Creates the state machine of a device without offers.
    public init() {}

    /// Handles an offer of another bridge.
    ///
    /// - Parameters:
    ///   - score: How well this bridge receives the device; nil if unknown.
    ///   - heardAt: When this bridge last received the device; nil for never.
    /// - Returns: Whether this bridge leaves the device to the other bridge.
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

    /// Handles an advertisement that this bridge received: an offer that is no longer clearly better is discarded.
    public mutating func advertised(score: Int?) {
        if let rival, !isBetter(rival, score) { self.rival = nil }
    }

    private func isBetter(_ offer: Offer, _ score: Int?) -> Bool {
        score.map { offer.score >= $0 + Self.margin } ?? true
    }

    /// Whether it is time for this bridge to offer to use the device, which another bridge uses.
    public mutating func isOfferDue(every interval: Duration = interval, at now: Duration) -> Bool {
        guard offeredAt.map({ now - $0 >= interval }) ?? true else { return false }
        offeredAt = now
        return true
    }
}
