/// Random numbers that are reproducible by seed (SplitMix64).
package struct Random: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator.
    package init(seed: UInt64) { state = Self.mixed(seed &+ 0x9E37_79B9_7F4A_7C15) }

    /// The next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// A uniform number from 0 to 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns true with this probability.
    mutating func happens(_ probability: Double) -> Bool { probability > 0 && unit() < probability }

    /// A uniform time within a range, in microseconds.
    mutating func time(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(unit() * Double(range.upperBound - range.lowerBound))
    }

    /// An exponentially distributed time with this mean, in microseconds.
    mutating func time(mean: Int) -> Int {
        let rest = max(unit(), 1e-9)
        return Int(-Double(mean) * Self.logarithm(rest))
    }

    /// A normally distributed number, approximated by a scaled sum of four uniform numbers.
    mutating func normal() -> Double { (0..<4).reduce(-2.0) { sum, _ in sum + unit() } * 1.732_050_8 }

    /// A normally distributed number that is reproducible by key, approximated by the sum of twelve uniform numbers.
    static func normal(key: UInt64) -> Double {
        var random = Random(seed: key)
        return (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() }
    }

    /// A hash of a number in which each bit matters.
    static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// The natural logarithm without the system's library: the exponent, plus a series for the significand.
    static func logarithm(_ value: Double) -> Double {
        let rest = value.significand
        let ratio = (rest - 1) / (rest + 1)
        let square = ratio * ratio
        var term = ratio
        var sum = 0.0
        for divisor in stride(from: 1.0, through: 21, by: 2) {
            sum += term / divisor
            term *= square
        }
        return 2 * sum + Double(value.exponent) * 0.693_147_180_559_945_3
    }
}
