public import Bluetooth

/// How well an advertisement fits a family. Whether the family is part of the program or a device file makes no
/// difference.
public struct MatchRank: Hashable, Sendable, Comparable {
    /// The strongest condition that the advertisement meets, the weakest kind first.
    public enum Basis: Int, Hashable, Sendable, Comparable {
        /// A part of the name, or the maker's number alone.
        case partialName
        /// The whole name.
        case exactName
        /// A service UUID, the address, or bytes that the maker advertises.
        case identifier

        /// Compares the strength.
        public static func < (left: Basis, right: Basis) -> Bool { left.rawValue < right.rawValue }
    }

    /// The strongest condition.
    public var basis: Basis
    /// How many conditions it meets.
    public var conditions: Int
    /// How many characters of the name are given.
    public var literals: Int

    /// Makes a rank.
    public init(_ basis: Basis, conditions: Int = 1, literals: Int = 0) {
        self.basis = basis
        self.conditions = conditions
        self.literals = literals
    }

    /// Compares the strongest condition first, then the number of conditions, then the characters of the name.
    public static func < (left: MatchRank, right: MatchRank) -> Bool {
        (left.basis, left.conditions, left.literals) < (right.basis, right.conditions, right.literals)
    }
}

extension [any DeviceFamily] {
    /// Finds the family of a name; nil for a name that is not one.
    public func named(_ name: String) -> (any DeviceFamily)? { first { $0.name == name } }

    /// Finds the families that recognize an advertisement, the best rank first; of equal ranks the earlier family.
    public func recognizing(_ advertisement: Advertisement) -> [any DeviceFamily] {
        let candidates = filter { $0.recognises(advertisement) }
        guard candidates.count > 1 else { return candidates }
        return candidates.enumerated().sorted { left, right in
            let ranks = (left.element.rank(of: advertisement), right.element.rank(of: advertisement))
            return ranks.0 == ranks.1 ? left.offset < right.offset : ranks.0 > ranks.1
        }.map(\.element)
    }
}
