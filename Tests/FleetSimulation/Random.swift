/// Random numbers that are the same for the same seed (SplitMix64).
package struct Random: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Begins a row of numbers.
    package init(seed: UInt64) { state = Self.mixed(seed &+ 0x9E37_79B9_7F4A_7C15) }

    /// The next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// From 0 to 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Whether what happens so often happens.
    mutating func happens(_ probability: Double) -> Bool { probability > 0 && unit() < probability }

    /// A time within a range, in microseconds.
    mutating func time(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(unit() * Double(range.upperBound - range.lowerBound))
    }

    /// A time of which only the mean is known, in microseconds.
    mutating func time(mean: Int) -> Int {
        let rest = max(unit(), 1e-9)
        return Int(-Double(mean) * Self.logarithm(rest))
    }

    /// Normally distributed: the sum of twelve numbers is near enough.
    mutating func normal() -> Double { (0..<4).reduce(-2.0) { sum, _ in sum + unit() } * 1.732_050_8 }

    /// Normally distributed, and the same for the same key.
    static func normal(key: UInt64) -> Double {
        var random = Random(seed: key)
        return (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() }
    }

    /// A number in which each bit of another one counts.
    static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// The natural logarithm, without the system's library: by the exponent, then a series of its rest.
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
