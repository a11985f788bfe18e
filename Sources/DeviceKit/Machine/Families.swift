public import Bluetooth

/// How well an advertisement matches the conditions of a family; the family with the best rank gets the device. The
/// same rules apply to built-in families and to families from device files.
public struct MatchRank: Hashable, Sendable, Comparable {
    /// The strongest condition that the advertisement meets, in ascending order.
    public enum Basis: Int, Hashable, Sendable, Comparable {
        /// The advertisement matches a part of the name, or only the company identifier.
        case partialName
        /// The advertisement matches the whole name.
        case exactName
        /// The advertisement matches a service UUID, the address, or manufacturer data.
        case identifier

        /// Orders conditions by strength.
        public static func < (left: Basis, right: Basis) -> Bool { left.rawValue < right.rawValue }
    }

    /// The strongest condition that the advertisement meets.
    public var basis: Basis
    /// The number of conditions that the advertisement meets.
    public var conditions: Int
    /// The number of characters other than wildcards in the pattern that the name matches.
    public var literals: Int

    /// Creates a rank.
    public init(_ basis: Basis, conditions: Int = 1, literals: Int = 0) {
        self.basis = basis
        self.conditions = conditions
        self.literals = literals
    }

    /// Orders by the strongest condition, then the number of conditions, then the characters of the name.
    public static func < (left: MatchRank, right: MatchRank) -> Bool {
        (left.basis, left.conditions, left.literals) < (right.basis, right.conditions, right.literals)
    }
}

extension [any DeviceFamily] {
    /// Returns the family with a name; nil if there is none.
    public func named(_ name: String) -> (any DeviceFamily)? { first { $0.name == name } }

    /// Returns the families that recognize an advertisement, best rank first. Families of equal rank keep their
    /// order.
    public func recognizing(_ advertisement: Advertisement) -> [any DeviceFamily] {
        let candidates = filter { $0.recognises(advertisement) }
        guard candidates.count > 1 else { return candidates }
        return candidates.enumerated().sorted { left, right in
            let ranks = (left.element.rank(of: advertisement), right.element.rank(of: advertisement))
            return ranks.0 == ranks.1 ? left.offset < right.offset : ranks.0 > ranks.1
        }.map(\.element)
    }
}
