/// Decides whether this bridge connects to a device, or leaves it to a bridge that receives it better: a pure state
/// machine.
///
/// The weaker the signal, the longer a bridge waits. The first bridge whose wait ends publishes an offer and connects.
/// A bridge with a clearly worse score then pauses for a while. If the offer leads to no connection, the device waits
/// for one pause. After two pauses in a row, a bridge connects whatever the other bridges offer.
public struct HostChoice: Sendable {
    /// What lowers or raises this host's score, apart from the signal strength.
    public struct Load: Hashable, Sendable {
        /// Whether the adapter is establishing a link to another device.
        public var isConnecting: Bool
        /// The number of links that the adapter can still establish; nil if unknown.
        public var freeSlots: Int?
        /// Whether the device needs a bond that this host does not have.
        public var lacksBond: Bool
        /// Whether the roster prefers this bridge or others for the device.
        public var preference: Preference
        /// Whether the device joins and no bridge has had it yet, so that there is time to find its best host.
        public var isNew: Bool

        /// Creates the description of a host's load.
        public init(
            isConnecting: Bool = false, freeSlots: Int? = nil, lacksBond: Bool = false,
            preference: Preference = .none, isNew: Bool = false
        ) {
            self.isConnecting = isConnecting
            self.freeSlots = freeSlots
            self.lacksBond = lacksBond
            self.preference = preference
            self.isNew = isNew
        }
    }

    /// Which bridge the roster prefers for the device.
    public enum Preference: Hashable, Sendable {
        /// The roster prefers none of the online bridges, or several including this bridge.
        case none
        /// The roster prefers only this bridge, which does not wait.
        case here
        /// The roster prefers other bridges, which have priority.
        case elsewhere
    }

    /// What to do now about the device.
    public enum Step: Hashable, Sendable {
        /// Connect now, and publish an offer with this score; nil if there are no other bridges.
        case connect(offer: Int?)
        /// Check again at this time. The deference is the reason if this bridge leaves the device to others for now.
        case wait(until: Duration, Deference? = nil)
        /// Do nothing: the adapter has no free slot.
        case full
    }

    /// Why a bridge leaves a device to other bridges for a while.
    public enum Deference: Hashable, Sendable {
        /// Another bridge receives the device better.
        case betterOffer
        /// The roster prefers other bridges.
        case preferredElsewhere
        /// The device needs a bond, and other bridges may have one.
        case lacksBond
    }

    /// The durations and limits that decide how long a bridge waits.
    package struct Tuning: Hashable, Sendable {
        /// How long this bridge waits for each decibel by which its score is below ``best``.
        package var pausePerDecibel = Duration.milliseconds(5)
        /// How much longer a bridge waits for a device that no bridge has had yet.
        package var newcomerFactor = 10
        /// The maximum random wait, which separates two bridges with equal signals.
        package var jitter = Duration.milliseconds(10)
        /// How much better than this bridge's score another bridge's offer must be, in dB, for this bridge to pause.
        package var margin = 1
        /// How long this bridge pauses after a better offer of another bridge.
        package var quiet = Duration.milliseconds(2500)
        /// The maximum number of pauses in a row.
        package var quietRounds = 2
        /// How much longer a bridge waits if the roster prefers other bridges.
        package var headStart = Duration.seconds(2)

        /// Creates the values that the bridge uses. Other values are for simulations.
        package init() {}
    }

    static let connectingDeduction = 8
    static let lastSlotDeduction = 25
    /// The deduction from the score for a missing bond, or if the roster prefers other bridges, in dB. It is larger
    /// than differences in signal strength.
    static let strangerDeduction = 60
    /// The lowest score of an offer.
    static let worst = -255
    /// The score at or above which a bridge does not wait.
    static let best = -50
    static let offerLife = Duration.seconds(3)

    private var rssi: Double?
    private var waitEnd: Duration?
    private var bestOffer: (score: Int, at: Duration)?
    private var rounds = 0

    /// Creates the choice for a device without advertisements.
    public init() {}

    /// Records an advertisement with this signal strength in dBm. The newest value has a weight of one third.
    public mutating func heard(rssi value: Int) {
        rssi = rssi.map { $0 + (Double(value) - $0) / 3 } ?? Double(value)
    }

    /// The score of this host for the device, in dBm: the signal strength, less deductions for its load; nil without
    /// advertisements.
    public func score(_ load: Load) -> Int? {
        guard let rssi else { return nil }
        var score = Int(rssi.rounded())
        if load.isConnecting { score -= Self.connectingDeduction }
        if load.freeSlots == 1 { score -= Self.lastSlotDeduction }
        if load.lacksBond { score -= Self.strangerDeduction }
        if load.preference == .elsewhere { score -= Self.strangerDeduction }
        return max(score, Self.worst)
    }

    /// Records another bridge's offer.
    public mutating func heard(_ offer: Offer, at now: Duration) {
        if let known = bestOffer, now - known.at < Self.offerLife, known.score >= offer.score { return }
        bestOffer = (offer.score, now)
    }

    /// Decides about a device that is in range and has no link.
    ///
    /// - Parameters:
    ///   - isAlone: Whether no other bridge can have the device, so that waiting is useless.
    ///   - chance: A random number from 0 to 1, so that bridges with equal signals do not start at the same time.
    public mutating func decide(
        _ load: Load, isAlone: Bool, chance: Double, at now: Duration
    ) -> Step { decide(load, isAlone: isAlone, chance: chance, at: now, by: Tuning()) }

    /// Decides like ``decide(_:isAlone:chance:at:)``, but with other parameters.
    package mutating func decide(
        _ load: Load, isAlone: Bool, chance: Double, at now: Duration, by tuning: Tuning
    ) -> Step {
        guard load.freeSlots ?? 1 > 0 else {
            waitEnd = nil
            return .full
        }
        guard !isAlone, let score = score(load) else {
            beginAnew()
            return .connect(offer: nil)
        }
        if let offer = bestOffer, now - offer.at < Self.offerLife, offer.score >= score + tuning.margin,
            rounds < tuning.quietRounds
        {
            let end = offer.at + tuning.quiet
            if now < end {
                waitEnd = nil
                return .wait(until: end, load.deference ?? .betterOffer)
            }
            // The pause is over and the device is still free, so the better offer led to no connection.
            rounds += 1
            bestOffer = nil
        }
        let end = waitEnd ?? now + pause(load, score, chance, tuning)
        guard now >= end else {
            waitEnd = end
            return .wait(until: end, load.deference)
        }
        waitEnd = nil
        return .connect(offer: score)
    }

    private func pause(_ load: Load, _ score: Int, _ chance: Double, _ tuning: Tuning) -> Duration {
        guard load.preference != .here else { return .zero }
        let decibels = max(0, Self.best - score) * (load.isNew ? tuning.newcomerFactor : 1)
        let pause = tuning.pausePerDecibel * decibels + tuning.jitter * chance
        return load.preference == .elsewhere ? pause + tuning.headStart : pause
    }

    /// Discards the signal strength and all offers, because this or another bridge has the device. If an old signal
    /// strength were kept, a host that no longer receives the device well would connect first the next time.
    public mutating func reset() {
        rssi = nil
        beginAnew()
    }

    private mutating func beginAnew() {
        waitEnd = nil
        bestOffer = nil
        rounds = 0
    }
}

extension HostChoice.Load {
    /// The reason why this bridge leaves the device to other bridges even without a better offer; nil if there is none.
    fileprivate var deference: HostChoice.Deference? {
        preference == .elsewhere ? .preferredElsewhere : lacksBond ? .lacksBond : nil
    }
}
