/// What this bridge knows about the other bridges on the broker.
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
    /// The state without other bridges: every bridge counts as offline.
    public static var none: Neighbors { all(.dead) }

    /// A state in which each bridge with a claim has the given state and no bridge is online.
    public static func all(_ life: Life) -> Neighbors { Neighbors(life: { _ in life }, online: { [] }) }
}
