/// A version of hardware or firmware, as SDKs use it to distinguish features: `MMmmbb`, 30524 for 3.5.24.
struct TapVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The version as one number: major · 10000 + minor · 100 + build.
    let number: Int

    init(_ number: Int) { self.number = number }

    /// Parses `M.m` or `M.m.b`, each part below 100, as on iOS. A third part that is not a number counts as 0.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, let major = Self.part(parts[0]), let minor = Self.part(parts[1]) else {
            return nil
        }
        number = major * 10_000 + minor * 100 + (parts.count > 2 ? Self.part(parts[2]) ?? 0 : 0)
    }

    /// The version as text, such as `3.5.24`; a build of 0 is omitted.
    var description: String {
        let (major, minor, build) = (number / 10_000, number / 100 % 100, number % 100)
        return build == 0 ? "\(major).\(minor)" : "\(major).\(minor).\(build)"
    }

    static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    private static func part(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            number < 100
        else { return nil }
        return number
    }
}
