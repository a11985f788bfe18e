/// Decides for one device, at one bridge, whether this bridge connects, or leaves that to one that hears the device
/// better: a pure state machine.
///
/// A bridge waits the longer the worse it hears the device. The first one that is done offers, and connects; one whose
/// score is clearly worse keeps quiet then for a while. An offer that comes to nothing costs one quiet round; after two
/// in a row a bridge connects whatever others offer.
public struct HostChoice: Sendable {
    /// What speaks for and against this host, besides how well it hears the device.
    public struct Load: Hashable, Sendable {
        /// Whether the adapter makes another link at the moment.
        public var isConnecting: Bool
        /// How many links it can bear more; nil where that is not known.
        public var freeSlots: Int?
        /// Whether the device wants a bond, and this host has none.
        public var lacksBond: Bool
        /// Whether the fleet's roster prefers a bridge.
        public var preference: Preference

        /// Makes a load.
        public init(
            isConnecting: Bool = false, freeSlots: Int? = nil, lacksBond: Bool = false,
            preference: Preference = .none
        ) {
            self.isConnecting = isConnecting
            self.freeSlots = freeSlots
            self.lacksBond = lacksBond
            self.preference = preference
        }
    }

    /// Which bridge is to have the device if it can.
    public enum Preference: Hashable, Sendable {
        /// None of those that are there, or several, this one among them.
        case none
        /// This one alone: it waits for nobody.
        case here
        /// Others: they go first.
        case elsewhere
    }

    /// What to do.
    public enum Step: Hashable, Sendable {
        /// Connect now, and offer it to the others at this score; nil where there are none.
        case connect(offer: Int?)
        /// Ask again at this time; and why this bridge leaves the device to others, where it does.
        case wait(until: Duration, Deference? = nil)
        /// Nothing: the adapter bears no more links.
        case full
    }

    /// Why a bridge leaves a device to others for a while.
    public enum Deference: Hashable, Sendable {
        /// Another one hears it better.
        case betterOffer
        /// The roster prefers others.
        case preferredElsewhere
        /// The device wants a bond, and others may have one.
        case lacksBond
    }

    /// The numbers of the choice.
    package struct Tuning: Hashable, Sendable {
        /// What a decibel below ``best`` costs.
        package var pausePerDecibel = Duration.milliseconds(5)
        /// So far two that hear a device alike begin apart, at most.
        package var jitter = Duration.milliseconds(10)
        /// So much better an offer must be for this bridge to keep quiet.
        package var margin = 1
        /// How long a bridge keeps quiet after a better offer.
        package var quiet = Duration.milliseconds(2500)
        /// How often in a row it does.
        package var quietRounds = 2
        /// How much later those begin that the roster does not prefer.
        package var headStart = Duration.seconds(2)

        /// Makes the numbers of the running bridge.
        package init() {}
    }

    static let connectingDeduction = 8
    static let lastSlotDeduction = 25
    /// For want of a bond, or where the roster prefers others: more than strengths differ.
    static let strangerDeduction = 60
    /// The least score that an offer can have.
    static let worst = -255
    /// The score from which on there is no wait.
    static let best = -50
    static let offerLife = Duration.seconds(3)

    private var rssi: Double?
    private var waitEnd: Duration?
    private var bestOffer: (score: Int, at: Duration)?
    private var rounds = 0

    /// Makes the choice for a device that was not heard yet.
    public init() {}

    /// The device was heard at this signal strength in dBm; the newest counts a third.
    public mutating func heard(rssi value: Int) {
        rssi = rssi.map { $0 + (Double(value) - $0) / 3 } ?? Double(value)
    }

    /// How good a link of this host would be, in dBm; nil if the device was not heard.
    public func score(_ load: Load) -> Int? {
        guard let rssi else { return nil }
        var score = Int(rssi.rounded())
        if load.isConnecting { score -= Self.connectingDeduction }
        if load.freeSlots == 1 { score -= Self.lastSlotDeduction }
        if load.lacksBond { score -= Self.strangerDeduction }
        if load.preference == .elsewhere { score -= Self.strangerDeduction }
        return max(score, Self.worst)
    }

    /// Another bridge offers.
    public mutating func heard(_ offer: Offer, at now: Duration) {
        if let known = bestOffer, now - known.at < Self.offerLife, known.score >= offer.score { return }
        bestOffer = (offer.score, now)
    }

    /// What to do with a device that is heard and that nobody holds.
    ///
    /// - Parameters:
    ///   - isAlone: Whether no other bridge could have it, so that there is nothing to wait for.
    ///   - chance: A random number from 0 to 1, so that two that hear alike do not begin together.
    public mutating func decide(
        _ load: Load, isAlone: Bool, chance: Double, at now: Duration
    ) -> Step { decide(load, isAlone: isAlone, chance: chance, at: now, by: Tuning()) }

    /// What to do, by other numbers.
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
            // It came to nothing.
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
        let pause = tuning.pausePerDecibel * max(0, Self.best - score) + tuning.jitter * chance
        return load.preference == .elsewhere ? pause + tuning.headStart : pause
    }

    /// The device is held, here or elsewhere: what was heard of it so far counts no more. A strength of before would make
    /// a host that has become a bad one connect first.
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
    /// Why the device is left to others in any case.
    fileprivate var deference: HostChoice.Deference? {
        preference == .elsewhere ? .preferredElsewhere : lacksBond ? .lacksBond : nil
    }
}
