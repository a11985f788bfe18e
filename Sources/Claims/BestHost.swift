public import BridgeContract
public import DeviceKit

/// Decides whether a device with a link moves to another host: a pure state machine.
///
/// Some devices advertise while they have a link. A host that receives such a device better than the bridge with the
/// link publishes an ``Offer`` every ``offerInterval``. The device moves to the host whose offers were better by a margin
/// for a time. Any other device moves only to a bridge that the roster prefers, since nothing shows which hosts could
/// receive it.
public struct BestHost: Sendable {
    /// The conditions, apart from signal strengths.
    public struct Situation: Hashable, Sendable {
        /// Whether the device is known to advertise while it has a link.
        public var advertises: Bool
        /// Whether the device must not lose its link now.
        public var isBusy: Bool
        /// The bridges that the roster prefers and that are online; empty if this bridge is one of the preferred bridges.
        public var preferred: [String]

        /// Creates the description of a situation.
        public init(advertises: Bool, isBusy: Bool = false, preferred: [String] = []) {
            self.advertises = advertises
            self.isBusy = isBusy
            self.preferred = preferred
        }
    }

    private struct Rival {
        var score: Int
        var since: Duration
        var at: Duration
    }

    /// How often a bridge repeats its offer, and how often the bridge with the link publishes a new score.
    public static let offerInterval = Duration.seconds(10)
    /// The time after which an offer or a measurement is out of date.
    static let life = Duration.seconds(60)
    /// The time in which moves are counted, and after which a failed move is repeated.
    static let window = Duration.seconds(3600)
    /// How often the time after a failed move doubles.
    static let doublings = 4
    /// The change of the score that is published, in dB.
    static let step = 6
    /// How old the link must be before an advertisement proves that the device advertises while it has the link.
    static let delay = Duration.seconds(1)

    /// The score of this host that its claim contains, so that only better hosts make offers; nil for none.
    public private(set) var stated: Int?
    /// The bridge to which this bridge moved the device; nil if its last link ended for another reason.
    public private(set) var successor: String?
    private var statedAt: Duration?
    private var linkedAt: Duration?
    private var own: (strength: Double, at: Duration)?
    private var rivals: [String: Rival] = [:]
    private var recent: [(at: Duration, date: TimeStamp)] = []
    /// How often the device moved to a preferred bridge without an offer of that bridge and came back, and when it may
    /// move there again.
    private var trials: [String: (count: Int, next: Duration)] = [:]

    /// Creates the state machine of a device without a link.
    public init() {}

    // MARK: Link

    /// Records that this bridge has the link.
    ///
    /// - Parameter strength: The strength of the last advertisements, in dBm; nil if unknown.
    public mutating func linked(strength: Int?, at now: Duration) {
        unlinked()
        (linkedAt, successor) = (now, nil)
        own = strength.map { (Double($0), now) }
    }

    /// Records that this bridge no longer has the link.
    public mutating func unlinked() { (linkedAt, own, rivals, stated, statedAt) = (nil, nil, [:], nil, nil) }

    /// Records that this bridge moves the device to another bridge.
    public mutating func moved(to bridge: String, at now: Duration, date: TimeStamp) {
        successor = bridge
        recent.append((now, date))
    }

    /// Records a claim of another bridge, which contains the moves of the device.
    public mutating func heard(_ claim: Claim, at now: Duration, date: TimeStamp) {
        if claim.state == .linked { trials[claim.bridge] = nil }
        recent = claim.moves.map { (min(now, now - .milliseconds(date.milliseconds - $0.milliseconds)), $0) }
    }

    /// When the device moved within the last hour, as far as known.
    public var moves: [TimeStamp] { recent.map(\.date) }

    // MARK: Signals

    /// Records the signal strength of the link or of an advertisement that this host received, in dBm.
    public mutating func measured(_ strength: Int, at now: Duration) {
        let former = own.flatMap { now - $0.at <= Self.life ? $0.strength : nil }
        own = (former.map { $0 + (Double(strength) - $0) / 3 } ?? Double(strength), now)
    }

    /// Whether an advertisement that this host receives now shows that the device advertises while it has a link.
    public func isProof(at now: Duration) -> Bool { linkedAt.map { now - $0 >= Self.delay } ?? false }

    /// Records another bridge's offer to take the device, made during this link.
    public mutating func heard(_ offer: Offer, at now: Duration) {
        let former = rivals[offer.bridge].flatMap { now - $0.at <= Self.life ? $0 : nil }
        rivals[offer.bridge] = Rival(score: offer.score, since: former?.since ?? now, at: now)
    }

    /// This host's score for the device; the lowest score if it has not received the device for a while.
    public func score(_ situation: Situation, at now: Duration) -> Int {
        guard let own, now - own.at <= Self.life else { return HostChoice.worst }
        let deduction = situation.preferred.isEmpty ? 0 : HostChoice.strangerDeduction
        return max(Int(own.strength.rounded()) - deduction, HostChoice.worst)
    }

    /// Whether to repeat the claim now for the bridge of an offer, which may not know the score of this host, or that the
    /// device advertises while it has a link. If so, the score is updated.
    public mutating func isRepetitionDue(_ situation: Situation, at now: Duration) -> Bool {
        guard statedAt.map({ now - $0 >= Self.offerInterval }) ?? true else { return false }
        (stated, statedAt) = (score(situation, at: now), now)
        return true
    }

    /// Updates the score that the claim contains, if it has changed clearly.
    ///
    /// - Returns: Whether it was updated.
    public mutating func restate(_ situation: Situation, at now: Duration) -> Bool {
        guard situation.advertises, statedAt.map({ now - $0 >= Self.offerInterval }) ?? true else {
            return false
        }
        let score = score(situation, at: now)
        guard stated.map({ abs(score - $0) >= Self.step }) ?? true else { return false }
        (stated, statedAt) = (score, now)
        return true
    }

    // MARK: Decision

    /// Decides whether the device moves now. ``moved(to:at:date:)`` follows if it does.
    ///
    /// - Returns: The bridge to move to; nil if the device stays.
    public mutating func decide(
        _ situation: Situation, at now: Duration, by limits: BridgeSettings.Moves
    ) -> String? {
        let own = score(situation, at: now)
        rivals = rivals.filter {
            now - $0.value.at <= Self.life && limits.isBetter($0.value.score, than: own)
        }
        recent.removeAll { now - $0.at >= Self.window }
        guard linkedAt != nil, !situation.isBusy, recent.count < limits.perHour else { return nil }
        guard !situation.advertises else {
            let time = limits.time(own: own)
            return rivals.filter { now - $0.value.since >= time }
                .max { ($0.value.score, $1.key) < ($1.value.score, $0.key) }
                .map(\.key)
        }
        let next = situation.preferred.first { trials[$0].map { now >= $0.next } ?? true }
        guard let next else { return nil }
        let count = trials[next]?.count ?? 0
        trials[next] = (count + 1, now + Self.window * (1 << min(count, Self.doublings)))
        return next
    }
}

extension BridgeSettings.Moves {
    /// Whether a host with this score receives the device clearly better than the host with the link, whose score is
    /// nil if it is unknown.
    public func isBetter(_ score: Int, than own: Int?) -> Bool {
        own.map { score >= $0 + ($0 < weak ? (margin + 1) / 2 : margin) } ?? true
    }

    fileprivate func time(own: Int) -> Duration {
        own < weak ? min(time, BestHost.offerInterval) : time
    }
}
