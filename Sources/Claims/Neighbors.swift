/// What a bridge knows of the other ones at the broker.
public struct Neighbors {
    /// What is known of a bridge that makes a claim.
    public enum Life: Hashable, Sendable {
        /// It is there.
        case alive
        /// It counts as alive, but that is about to be known better.
        case presumed
        /// It is gone.
        case dead
    }

    /// Whether the bridge that makes a claim lives.
    public var life: (Claim) -> Life
    /// The other bridges that are there and make claims.
    public var online: () -> [String]

    /// Makes what is known of others.
    public init(life: @escaping (Claim) -> Life, online: @escaping () -> [String]) {
        self.life = life
        self.online = online
    }
}

extension Neighbors {
    /// No other bridge is known.
    public static var none: Neighbors { all(.dead) }

    /// Of each bridge that makes a claim the same is known; none is online.
    public static func all(_ life: Life) -> Neighbors { Neighbors(life: { _ in life }, online: { [] }) }
}
