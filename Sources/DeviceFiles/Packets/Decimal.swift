package import JSON

/// An exact decimal number. For example, 214 tenths are exactly 21.4.
package struct Decimal: Hashable, Sendable {
    package let coefficient: Int128
    /// The power of ten by which the coefficient is multiplied.
    package let exponent: Int

    /// Creates a number from a coefficient and a power of ten, without trailing zeros of a fraction.
    package init(_ coefficient: Int128, exponent: Int = 0) {
        var (coefficient, exponent) = (coefficient, coefficient == 0 ? 0 : exponent)
        while exponent < 0, coefficient % 10 == 0 {
            coefficient /= 10
            exponent += 1
        }
        self.coefficient = coefficient
        self.exponent = exponent
    }

    /// Parses at most 18 digits with an optional sign and decimal point; nil for any other text.
    package init?(_ text: some StringProtocol) {
        var (digits, places, count) = (0 as Int128, 0, 0)
        var isFraction = false
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        for byte in rest {
            if byte == UInt8(ascii: ".") {
                guard !isFraction, count > 0 else { return nil }
                isFraction = true
                continue
            }
            guard (0x30...0x39).contains(byte), count < 18 else { return nil }
            digits = digits * 10 + Int128(byte - 0x30)
            count += 1
            if isFraction { places += 1 }
        }
        guard count > 0, !isFraction || places > 0 else { return nil }
        self.init(isNegative ? -digits : digits, exponent: -places)
    }

    /// The shortest decimal number that identifies a double; nil for an infinity, for not-a-number and for numbers out
    /// of range.
    package init?(_ number: Double) {
        guard number.isFinite else { return nil }
        self.init(scientific: number.description)
    }

    /// Parses Swift's description of a floating-point number: `0.1`, `1e-07`.
    init?(scientific text: String) {
        let parts = text.split(separator: "e")
        guard let mantissa = parts.first.flatMap({ Decimal($0) }) else { return nil }
        guard parts.count == 2 else {
            self = mantissa
            return
        }
        guard let power = Int(parts[1]), abs(power) <= 40 else { return nil }
        self.init(mantissa.coefficient, exponent: mantissa.exponent + power)
    }

    /// The number of digits after the decimal point.
    package var places: Int { max(0, -exponent) }

    /// The nearest double.
    package var double: Double {
        if coefficient.magnitude < 1 << 53, exponent <= 0, exponent >= -22 {
            // The coefficient and the power of ten are exact doubles, so the result is rounded only once.
            return Double(Int64(coefficient)) / Self.powers[-exponent]
        }
        return Double("\(coefficient)e\(exponent)") ?? 0
    }

    /// The JSON form. A whole number is an integer.
    package var json: JSON.Value {
        if exponent >= 0, let whole = whole, let number = Int(exactly: whole) { return .integer(number) }
        return .number(double)
    }

    /// The value as a whole number; nil for a fraction and for a number out of range.
    package var whole: Int128? {
        guard exponent >= 0 else { return nil }
        return Self.raised(coefficient, by: exponent)
    }

    /// The number times ten to the power of `places`, rounded half away from zero; nil if it is out of range.
    package func units(_ places: Int) -> Int128? {
        let power = exponent + places
        if power >= 0 { return Self.raised(coefficient, by: power) }
        guard -power <= 38, let divisor = Self.raised(1, by: -power) else { return 0 }
        return Self.divided(coefficient, by: divisor)
    }

    /// Returns the number rounded to `places` decimals, half away from zero.
    package func rounded(_ places: Int) -> Decimal {
        guard -exponent > places, let units = units(places) else { return self }
        return Decimal(units, exponent: -places)
    }

    /// Returns the product; nil if it is out of range.
    static func product(_ left: Decimal, _ right: Decimal) -> Decimal? {
        let (product, isTooLarge) = left.coefficient.multipliedReportingOverflow(by: right.coefficient)
        return isTooLarge ? nil : Decimal(product, exponent: left.exponent + right.exponent)
    }

    /// Returns the sum; nil if it is out of range.
    static func sum(_ left: Decimal, _ right: Decimal) -> Decimal? {
        let exponent = min(left.exponent, right.exponent)
        guard let one = raised(left.coefficient, by: left.exponent - exponent),
            let other = raised(right.coefficient, by: right.exponent - exponent)
        else { return nil }
        let (sum, isTooLarge) = one.addingReportingOverflow(other)
        return isTooLarge ? nil : Decimal(sum, exponent: exponent)
    }

    /// Divides whole numbers and rounds half away from zero.
    static func divided(_ dividend: Int128, by divisor: Int128) -> Int128 {
        let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: divisor)
        guard rest.magnitude >= divisor.magnitude - rest.magnitude else { return quotient }
        return quotient + ((dividend < 0) == (divisor < 0) ? 1 : -1)
    }

    /// Multiplies by a power of ten; nil if the result is out of range.
    static func raised(_ number: Int128, by power: Int) -> Int128? {
        guard number != 0 else { return 0 }
        guard power <= 38 else { return nil }
        var result = number
        for _ in 0..<power {
            let (next, isTooLarge) = result.multipliedReportingOverflow(by: 10)
            if isTooLarge { return nil }
            result = next
        }
        return result
    }

    private static let powers: [Double] = (0...22).map { Double("1e\($0)") ?? 1 }
}

extension Decimal: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, Comparable, CustomStringConvertible
{
    package init(integerLiteral value: Int) { self.init(Int128(value)) }
    /// Uses the shortest decimal number that identifies the literal.
    package init(floatLiteral value: Double) { self = Decimal(value) ?? 0 }
    package static func < (left: Self, right: Self) -> Bool {
        guard let sum = sum(left, Decimal(-right.coefficient, exponent: right.exponent)) else {
            return left.double < right.double
        }
        return sum.coefficient < 0
    }
    /// The number in JSON notation.
    package var description: String { json.description }
}
