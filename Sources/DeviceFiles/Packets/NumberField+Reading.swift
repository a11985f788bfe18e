import JSON

extension NumberField {
    /// Converts the bits of the number to its published value.
    func value(ofBits bits: UInt64, _ name: String?) throws(PacketMisfit) -> JSON.Value {
        if type.isInteger {
            let raw = type.integer(bits)
            if let equals, raw != equals { throw PacketMisfit(name, found: raw, allowed: equals) }
            if !nulls.isEmpty, isNull(Decimal(raw), bits) { return .null }
            if !words.isEmpty { return try Self.word(raw, words, unknown, name) }
            guard scaling != nil || minimum != nil || maximum != nil else {
                return try Self.whole(raw, name)
            }
            return try finish(Decimal(raw), name)
        }
        switch type.float(bits) {
        case .none: return .null
        case .decimal(let raw):
            if !nulls.isEmpty, isNull(raw, bits) { return .null }
            return try finish(raw, name)
        case .double(let raw):
            if nulls.contains(.bits(bits)) { return .null }
            let value = scaling.map { raw * $0.factor + $0.offset.double } ?? raw
            guard value.isFinite else { return .null }
            try Self.check(value, minimum, maximum, name)
            return .number(value)
        }
    }

    private func isNull(_ raw: Decimal, _ bits: UInt64) -> Bool {
        nulls.contains { null in
            switch null {
            case .value(let value): value == raw
            case .bits(let other): other == bits
            }
        }
    }

    /// Returns the word that represents a raw value.
    static func word(
        _ raw: Int128, _ words: [Word], _ unknown: String?, _ name: String?
    ) throws(PacketMisfit) -> JSON.Value {
        for index in words.indices where words[index].raw == raw { return .string(words[index].word) }
        if let unknown { return .string(unknown) }
        throw PacketMisfit(
            name, "found \(raw); allowed: \(words.map { "\($0.raw)" }.joined(separator: " "))")
    }

    private func finish(_ raw: Decimal, _ name: String?) throws(PacketMisfit) -> JSON.Value {
        guard let value = scaling.map({ $0.value(of: raw) }) ?? raw else {
            let value = raw.double * (scaling?.factor ?? 1) + (scaling?.offset.double ?? 0)
            try Self.check(value, minimum, maximum, name)
            return .number(value)
        }
        try Self.check(value, minimum, maximum, name)
        if type.isInteger, let whole = value.whole { return try Self.whole(whole, name) }
        return value.json
    }

    /// Returns a whole number for publication. Throws an error for a number that exceeds `Int`, because it could only
    /// be published rounded.
    static func whole(_ number: Int128, _ name: String?) throws(PacketMisfit) -> JSON.Value {
        guard let whole = Int(exactly: number) else {
            throw PacketMisfit(name, "found \(number); allowed: \(Int.min)...\(Int.max)")
        }
        return .integer(whole)
    }

    /// Throws an error if a value is outside its limits.
    static func check(
        _ value: Decimal, _ minimum: Decimal?, _ maximum: Decimal?, _ name: String?
    ) throws(PacketMisfit) {
        if let minimum, value < minimum {
            throw PacketMisfit(name, "found \(value); allowed: at least \(minimum)")
        }
        if let maximum, value > maximum {
            throw PacketMisfit(name, "found \(value); allowed: at most \(maximum)")
        }
    }

    private static func check(
        _ value: Double, _ minimum: Decimal?, _ maximum: Decimal?, _ name: String?
    ) throws(PacketMisfit) {
        if let minimum, value < minimum.double {
            throw PacketMisfit(name, "found \(value); allowed: at least \(minimum)")
        }
        if let maximum, value > maximum.double {
            throw PacketMisfit(name, "found \(value); allowed: at most \(maximum)")
        }
    }
}

extension BitField {
    /// Converts the bits of this field in a number to the published value.
    func value(of number: UInt64) throws(PacketMisfit) -> JSON.Value {
        let bits = (number & mask) >> first
        guard let field = self.number else { return .bool(bits != 0) }
        return try field.value(ofBits: bits, name)
    }
}

extension Scaling {
    /// The factor as a double, for numbers out of the range of decimals.
    var factor: Double { numerator.double / denominator.double }

    /// Converts a raw value; nil if the result is out of range.
    func value(of raw: Decimal) -> Decimal? {
        guard let product = Decimal.product(raw, numerator) else { return nil }
        guard denominator != 1 else {
            guard let value = Decimal.sum(product, offset) else { return nil }
            return places.map(value.rounded) ?? value
        }
        // Computes (product + offset × denominator) / denominator, in units of the last decimal.
        guard let shift = Decimal.product(offset, denominator), let dividend = Decimal.sum(product, shift)
        else { return nil }
        let places = places ?? 12
        let exponent = min(dividend.exponent + places, denominator.exponent)
        guard let above = Decimal.raised(dividend.coefficient, by: dividend.exponent + places - exponent),
            let below = Decimal.raised(denominator.coefficient, by: denominator.exponent - exponent),
            below != 0
        else { return nil }
        return Decimal(Decimal.divided(above, by: below), exponent: -places)
    }

    /// Converts a value to its raw value, rounded half away from zero to `places` decimals; nil if the result is out of
    /// range.
    func raw(of value: Decimal, places: Int = 0) -> Decimal? {
        guard let rest = Decimal.sum(value, Decimal(-offset.coefficient, exponent: offset.exponent)),
            let dividend = Decimal.product(rest, denominator)
        else { return nil }
        let exponent = min(dividend.exponent + places, numerator.exponent)
        guard let above = Decimal.raised(dividend.coefficient, by: dividend.exponent + places - exponent),
            let below = Decimal.raised(numerator.coefficient, by: numerator.exponent - exponent), below != 0
        else { return nil }
        return Decimal(Decimal.divided(above, by: below), exponent: -places)
    }
}
