import DeviceKit
import JSON

extension NumberType {
    /// Returns the bits of a whole number, truncated to the width of the type.
    func mask(_ number: Int128) -> UInt64 {
        UInt64(truncatingIfNeeded: number) & allBits
    }
}

extension NumberField {
    func bits(of value: JSON.Value?, _ name: String) throws(CommandError) -> UInt64 {
        if let equals { return type.mask(equals) }
        guard let value, value != .null else {
            if value == .null, let bits = nullBits { return bits }
            throw PacketFormat.missing(name)
        }
        if !words.isEmpty {
            guard let raw = words.first(where: { .string($0.word) == value })?.raw else {
                let known = words.map(\.word).joined(separator: " ")
                throw CommandError(
                    .invalidValue, "\(name): one of \(known), got \(PacketFormat.excerpt(value))")
            }
            return type.mask(raw)
        }
        guard let number = Decimal(json: value) else {
            guard let double = value.double else {
                throw CommandError(.invalidValue, "\(name): a number, got \(PacketFormat.excerpt(value))")
            }
            return try bits(ofHuge: double, value, name)
        }
        if minimum.map({ number < $0 }) ?? false || maximum.map({ number > $0 }) ?? false {
            throw outOfRange(name, value)
        }
        let raw = (scaling ?? Scaling()).raw(of: number, places: type.isInteger ? 0 : 15)
        guard type.isInteger else {
            guard let bits = type.bits(of: raw ?? number) else { throw outOfRange(name, value) }
            return bits
        }
        guard let whole = raw?.whole, type.range.contains(whole) else { throw outOfRange(name, value) }
        return type.mask(whole)
    }

    /// Returns the bits of a number that exceeds the range of ``Decimal``.
    private func bits(ofHuge number: Double, _ value: JSON.Value, _ name: String) throws(CommandError)
        -> UInt64
    {
        let raw = scaling.map { (number - $0.offset.double) / $0.factor } ?? number
        let isOutside =
            minimum.map { number < $0.double } ?? false || maximum.map { number > $0.double } ?? false
        guard type.kind == .float, !isOutside, let bits = type.bits(of: raw) else {
            throw outOfRange(name, value)
        }
        return bits
    }

    /// The bits that represent a missing value (`null`).
    private var nullBits: UInt64? {
        switch nulls.first {
        case .bits(let bits): bits
        case .value(let value): type.isInteger ? value.whole.map(type.mask) : type.bits(of: value)
        case nil: nil
        }
    }

    /// The allowed values, as text for errors.
    var allowed: String {
        guard type.isInteger || minimum != nil || maximum != nil else {
            return "a number that fits \(type.name)"
        }
        let limits = self.limits
        return "\(limits.lower)...\(limits.upper)"
    }

    /// The smallest and the largest allowed value.
    var limits: (lower: Decimal, upper: Decimal) {
        let ends: [Decimal] =
            if type.isInteger {
                [type.range.lowerBound, type.range.upperBound].compactMap { end in
                    scaling.map { $0.value(of: Decimal(end)) } ?? Decimal(end)
                }
            } else {
                [-1e18, 1e18]
            }
        return (minimum ?? ends.min() ?? 0, maximum ?? ends.max() ?? 0)
    }

    private func outOfRange(_ name: String, _ value: JSON.Value) -> CommandError {
        CommandError(.outOfRange, "\(name): \(allowed), got \(PacketFormat.excerpt(value))")
    }
}

extension Decimal {
    /// Converts a JSON number; nil for other values.
    init?(json value: JSON.Value) {
        switch value {
        case .integer(let number): self.init(Int128(number))
        case .number(let number): self.init(number)
        default: return nil
        }
    }
}

extension BitField {
    /// Returns the bits of a value, shifted to their position in the number; nil for an absent value.
    func bits(of value: JSON.Value?) throws(CommandError) -> UInt64? {
        guard let field = number else {
            guard let value, value != .null else { return nil }
            return try PacketFormat.flag(value, name) ? mask : 0
        }
        guard value != nil || field.equals != nil else { return nil }
        let bits = try field.bits(of: value, name)
        guard bits <= mask >> first else {
            throw CommandError(
                .outOfRange, "\(name): \(last - first + 1) bits, got \(PacketFormat.excerpt(value))")
        }
        return bits << first
    }
}

extension ListField {
    func write(_ value: JSON.Value?, _ name: String, _ bytes: inout [UInt8]) throws(CommandError) {
        guard let value, value != .null else { throw PacketFormat.missing(name) }
        guard let elements = value.array else {
            throw CommandError(.invalidValue, "\(name): a list, got \(PacketFormat.excerpt(value))")
        }
        if case .fixed(let count) = count, count != elements.count {
            throw CommandError(.outOfRange, "\(name): \(count) values, got \(elements.count)")
        }
        for (index, element) in elements.enumerated() {
            let place = "\(name)[\(index)]"
            switch self.element {
            case .number(let field): field.type.append(try field.bits(of: element, place), to: &bytes)
            case .boolean: bytes.append(try PacketFormat.flag(element, place) ? 1 : 0)
            case .items(let packet):
                guard let object = element.object else {
                    throw CommandError(
                        .invalidValue, "\(place): an object, got \(PacketFormat.excerpt(element))")
                }
                bytes += try packet.write(object).bytes
            }
        }
    }
}

extension SumField {
    func write(_ value: JSON.Value?, _ name: String, _ bytes: inout [UInt8]) throws(CommandError) {
        guard let value, value != .null else { throw PacketFormat.missing(name) }
        guard let number = Decimal(json: value) else {
            throw CommandError(.invalidValue, "\(name): a number, got \(PacketFormat.excerpt(value))")
        }
        let places = parts.map(\.scale.places).max() ?? 0
        let error = CommandError(
            .outOfRange, "\(name): a number that the packet can contain, got \(PacketFormat.excerpt(value))")
        if minimum.map({ number < $0 }) ?? false || maximum.map({ number > $0 }) ?? false { throw error }
        let finest = parts.compactMap { $0.scale.units(places) }.min() ?? 1
        guard let units = number.units(places) else { throw error }
        let isNegative = units < 0
        var rest = Decimal.divided(isNegative ? -units : units, by: finest) * finest
        for (index, part) in parts.enumerated() {
            guard let unit = part.scale.units(places), unit > 0 else { throw error }
            let count = rest / unit
            rest -= count * unit
            let raw = index == 0 && isNegative ? -count : count
            guard part.type.range.contains(raw), index > 0 || !isNegative || raw < 0 || units == 0 else {
                throw error
            }
            part.type.append(part.type.mask(raw), to: &bytes)
        }
    }
}
