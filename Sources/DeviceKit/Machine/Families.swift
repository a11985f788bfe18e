public import Bluetooth

/// How well an advertisement fits a family.
public struct MatchRank: Hashable, Sendable, Comparable {
    /// How many conditions it fulfills.
    public var conditions: Int
    /// How many characters of the name are given.
    public var literals: Int

    /// Makes a rank.
    public init(conditions: Int, literals: Int) {
        self.conditions = conditions
        self.literals = literals
    }

    /// That of a family that is part of the program: it goes before every device file.
    public static let builtIn = MatchRank(conditions: .max, literals: .max)

    /// Compares conditions first.
    public static func < (left: MatchRank, right: MatchRank) -> Bool {
        (left.conditions, left.literals) < (right.conditions, right.literals)
    }
}

extension [any DeviceFamily] {
    /// Finds the family of a name; nil for a name that is not one.
    public func named(_ name: String) -> (any DeviceFamily)? { first { $0.name == name } }

    /// Finds the families that recognize an advertisement, the one that has the device first: the best rank, then the
    /// earlier one.
    public func recognizing(_ advertisement: Advertisement) -> [any DeviceFamily] {
        let candidates = filter { $0.recognises(advertisement) }
        guard candidates.count > 1 else { return candidates }
        return candidates.enumerated().sorted { left, right in
            let ranks = (left.element.rank(of: advertisement), right.element.rank(of: advertisement))
            return ranks.0 == ranks.1 ? left.offset < right.offset : ranks.0 > ranks.1
        }.map(\.element)
    }
}
