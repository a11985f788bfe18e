/// The known state of the other bridges on the broker.
public struct Neighbors {
    /// The state of a bridge that published a claim.
    public enum Life: Hashable, Sendable {
        /// The bridge is online.
        case alive
        /// The bridge counts as online until more is known.
        case presumed
        /// The bridge is offline.
        case dead
    }

    /// Returns whether the bridge of a claim is online.
    public var life: (Claim) -> Life
    /// Returns the other bridges that are online and publish claims.
    public var online: () -> [String]

    /// Creates the state of other bridges.
    public init(life: @escaping (Claim) -> Life, online: @escaping () -> [String]) {
        self.life = life
        self.online = online
    }
}

extension Neighbors {
    /// No other bridges.
    public static var none: Neighbors { all(.dead) }

    /// The same state for each bridge with a claim, and no online bridges.
    public static func all(_ life: Life) -> Neighbors { Neighbors(life: { _ in life }, online: { [] }) }
}
