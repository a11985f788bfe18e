/// What a bridge says of a device on `claim/<address>`: that it has the link, or had it last.
public struct Claim: Hashable, Sendable {
    /// How the link stands.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// The bridge has the link.
        case linked
        /// The bridge has no link, and speaks for the device until another one has.
        case released
    }

    /// The bridge's id.
    public var bridge: String
    /// The number of the link, counted over all hosts; 0 for a device that nobody had.
    public var epoch: Int
    /// How the link stands.
    public var state: State
    /// Since when the link is there, in RFC 3339 by the bridge's clock; nil without one.
    public var since: String?
    /// The adapter of the link, by the host's name for it.
    public var adapter: String?
    /// The device's name, which is its topic.
    public var name: String?
    /// The device's family.
    public var family: String?
    /// Whether the device stands in the bridge's configuration, so that it keeps its name.
    public var isConfigured: Bool
    /// Whether the broker had it in store, so that it says nothing of who lives.
    public var isStored = false

    /// Makes a claim.
    public init(
        bridge: String, epoch: Int, state: State, since: String? = nil, adapter: String? = nil,
        name: String? = nil, family: String? = nil, isConfigured: Bool = false, isStored: Bool = false
    ) {
        self.bridge = bridge
        self.epoch = epoch
        self.state = state
        self.since = since
        self.adapter = adapter
        self.name = name
        self.family = family
        self.isConfigured = isConfigured
        self.isStored = isStored
    }

    /// The highest epoch that is believed: far above what links can count, and far below where numbers end, so that no
    /// message can use them up.
    public static let highestEpoch = 1 << 52

    /// The order of claims: the higher epoch counts, of two alike that of the lower bridge id.
    public var rank: Rank { Rank(epoch: epoch, bridge: bridge) }

    /// Whether its link is older than one of another bridge; one that does not say since when it is there is not.
    ///
    /// Both sides compare the same two texts, so that they come to the same end whatever their clocks say; of two alike
    /// that of the lower bridge id counts as the older.
    public func isOlder(thanLinkOf bridge: String, since: String) -> Bool {
        guard let theirs = self.since else { return false }
        return (theirs, self.bridge) < (since, bridge)
    }

    /// A claim's place among others; the greatest counts.
    public struct Rank: Comparable, Hashable, Sendable {
        /// The number of the link.
        public var epoch: Int
        /// The bridge's id.
        public var bridge: String

        /// Orders by the epoch, then by the id, the lowest of which is the greatest.
        public static func < (left: Self, right: Self) -> Bool {
            left.epoch == right.epoch ? left.bridge > right.bridge : left.epoch < right.epoch
        }
    }
}
