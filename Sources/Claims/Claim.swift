public import DeviceKit

/// A bridge's claim on a device, published on `claim/<address>`: the bridge has the link, or had it last.
public struct Claim: Hashable, Sendable {
    /// Whether the bridge of a claim has the link.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// The bridge has the link.
        case linked
        /// The bridge has no link, and owns the topics until another bridge has a link.
        case released
    }

    /// The id of the bridge that makes the claim.
    public var bridge: String
    /// The number of the link, counted over all hosts; 0 if no bridge ever had the device.
    public var epoch: Int
    /// Whether the bridge has the link.
    public var state: State
    /// When the link was established, in RFC 3339 by the bridge's clock; nil without a link.
    public var since: String?
    /// The adapter of the link, by the host's name for it.
    public var adapter: String?
    /// The device's name, which is part of its topics.
    public var name: String?
    /// The device's family.
    public var family: String?
    /// Whether the device is in the bridge's configuration, so that it keeps its name.
    public var isConfigured: Bool
    /// How well the bridge receives the device, in the unit of ``Offer/score``; nil if the device is not known to
    /// advertise while it has a link.
    public var score: Int?
    /// When the device moved to better hosts within the last hour, oldest first.
    public var moves: [TimeStamp]
    /// Whether the claim arrived as a retained message, which does not show that its bridge is online.
    public var isStored = false

    /// Creates a claim.
    public init(
        bridge: String, epoch: Int, state: State, since: String? = nil, adapter: String? = nil,
        name: String? = nil, family: String? = nil, isConfigured: Bool = false, score: Int? = nil,
        moves: [TimeStamp] = [], isStored: Bool = false
    ) {
        self.bridge = bridge
        self.epoch = epoch
        self.state = state
        self.since = since
        self.adapter = adapter
        self.name = name
        self.family = family
        self.isConfigured = isConfigured
        self.score = score
        self.moves = moves
        self.isStored = isStored
    }

    /// The highest epoch (link number) that is accepted in a message. It is far above any number of links and far below
    /// the largest integer, so that no message can exhaust the epochs.
    public static let highestEpoch = 1 << 52

    /// The rank by which claims on one device are compared: the higher epoch wins; with equal epochs, the lower bridge
    /// id.
    public var rank: Rank { Rank(epoch: epoch, bridge: bridge) }

    /// Whether the link of this claim is older than a link of another bridge; false for a link without a date.
    ///
    /// Both bridges compare the same two dates as texts, so they reach the same result whatever their clocks show. With
    /// equal dates, the link of the lower bridge id counts as older.
    public func isOlder(thanLinkOf bridge: String, since: String) -> Bool {
        guard let theirs = self.since else { return false }
        return (theirs, self.bridge) < (since, bridge)
    }

    /// The rank of a claim; the greatest wins.
    public struct Rank: Comparable, Hashable, Sendable {
        /// The epoch (link number) of the claim.
        public var epoch: Int
        /// The id of the claim's bridge.
        public var bridge: String

        /// Orders by epoch. With equal epochs, the rank with the lower id is greater.
        public static func < (left: Self, right: Self) -> Bool {
            left.epoch == right.epoch ? left.bridge > right.bridge : left.epoch < right.epoch
        }
    }
}
