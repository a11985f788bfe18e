extension NumberType {
    /// The decoded value of a number with a fraction.
    enum FloatValue {
        /// No value: not-a-number, an infinity, or a special value of IEEE 11073.
        case none
        case decimal(Decimal)
        /// A number that exceeds the range of ``Decimal``.
        case double(Double)
    }

    /// Converts bits to a number. A binary floating-point number is converted to the shortest decimal number that
    /// identifies it.
    func float(_ bits: UInt64) -> FloatValue {
        if kind == .medical { return medical(bits) }
        if width == 4 {
            let float = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
            guard float.isFinite else { return .none }
            if let whole = Int32(exactly: float) { return .decimal(Decimal(Int128(whole))) }
            return Decimal(scientific: float.description).map { .decimal($0) } ?? .double(Double(float))
        }
        let double = Double(bitPattern: bits)
        guard double.isFinite else { return .none }
        if let whole = Int32(exactly: double) { return .decimal(Decimal(Int128(whole))) }
        return Decimal(double).map { .decimal($0) } ?? .double(double)
    }

    /// Decodes an IEEE 11073-20601 number: a signed mantissa and a signed power of ten.
    private func medical(_ bits: UInt64) -> FloatValue {
        let mantissaBits = mantissaWidth
        let mantissa = Int64(truncatingIfNeeded: bits << (64 - mantissaBits)) >> (64 - mantissaBits)
        guard mantissa.magnitude <= mantissaLimit else { return .none }
        let width = width * 8
        let exponent = Int(Int64(truncatingIfNeeded: bits << (64 - width)) >> (64 - width + mantissaBits))
        guard abs(exponent) <= 30 else {
            return Double("\(mantissa)e\(exponent)").map { .double($0) } ?? .none
        }
        return .decimal(Decimal(Int128(mantissa), exponent: exponent))
    }

    /// Returns the bits of a binary floating-point number; nil if the value is out of range.
    func bits(of value: Double) -> UInt64? {
        guard width == 4 else { return value.bitPattern }
        let float = Float(value)
        return float.isFinite ? UInt64(float.bitPattern) : nil
    }

    /// Returns the bits of a value; nil if the value is out of range.
    func bits(of value: Decimal) -> UInt64? {
        guard kind == .medical else {
            return bits(of: value.double)
        }
        var (mantissa, exponent) = (value.coefficient, value.exponent)
        let exponents = self.exponents
        // All digits are kept if they fit. A value with too many digits is rounded only once.
        if exponent < exponents.lowerBound || mantissa.magnitude > mantissaLimit {
            var target = max(exponent, exponents.lowerBound)
            while target <= exponents.upperBound,
                value.units(-target).map({ $0.magnitude > mantissaLimit }) ?? true
            {
                target += 1
            }
            guard target <= exponents.upperBound, let units = value.units(-target) else { return nil }
            (mantissa, exponent) = (units, target)
        }
        while exponent > exponents.upperBound {
            mantissa *= 10
            exponent -= 1
            guard mantissa.magnitude <= mantissaLimit else { return nil }
        }
        let mask = (UInt64(1) << mantissaWidth) - 1
        let bits =
            UInt64(truncatingIfNeeded: mantissa) & mask | UInt64(truncatingIfNeeded: exponent)
            << mantissaWidth
        return bits & (UInt64.max >> (64 - width * 8))
    }

    private var mantissaWidth: Int { width == 2 ? 12 : 24 }
    /// The largest mantissa. Larger mantissas are special values.
    private var mantissaLimit: UInt { width == 2 ? 2045 : 8_388_605 }
    private var exponents: ClosedRange<Int> { width == 2 ? -8...7 : -128...127 }
}
