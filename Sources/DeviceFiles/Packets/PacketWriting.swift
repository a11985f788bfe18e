package import DeviceKit
package import JSON

/// An encoded packet.
package struct PacketWriting: Hashable, Sendable {
    package fileprivate(set) var bytes: [UInt8] = []
    /// The items that are present in the packet, as a bit mask: bit 0 represents the first item.
    package fileprivate(set) var reached: UInt64 = 0

    fileprivate var raws: [Int128?] = []
    /// The checksums that are computed at the end, because their bytes may not be complete yet, with their positions.
    fileprivate var checksums: [(place: Int, checksum: Checksum, span: PacketItem.Span, type: NumberType)] =
        []

    /// Compares the bytes and the present items.
    package static func == (left: Self, right: Self) -> Bool {
        left.bytes == right.bytes && left.reached == right.reached
    }
    package func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
        hasher.combine(reached)
    }
}

extension PacketFormat {
    /// Writes a packet.
    ///
    /// - Parameters:
    ///   - values: The fields by name.
    ///   - context: The current time and the counters, for a packet that contains them.
    /// - Throws: ``CommandError`` that names the field that does not fit.
    package func write(
        _ values: JSON.Object, _ context: PacketContext = PacketContext()
    ) throws(CommandError) -> PacketWriting {
        var writing = PacketWriting()
        writing.raws = Array(repeating: nil, count: items.count)
        for (index, item) in items.enumerated() {
            if twins[index] & writing.reached != 0 { continue }
            if let condition = item.condition, !condition.holds(values, raws: writing.raws) { continue }
            try write(item, index, values, context, &writing)
            writing.reached |= 1 << UInt64(index)
        }
        for (place, checksum, span, type) in writing.checksums {
            guard let range = try? span.range(in: writing.bytes.count) else {
                throw CommandError(.invalidValue, "the packet is too short for its checksum")
            }
            var sum: [UInt8] = []
            type.append(checksum.value(of: writing.bytes[range]), to: &sum)
            writing.bytes.replaceSubrange(place..<(place + sum.count), with: sum)
        }
        guard writing.bytes.count <= Self.limit else {
            throw CommandError(
                .outOfRange, "a packet of at most \(Self.limit) bytes, got \(writing.bytes.count)")
        }
        return writing
    }

    private func write(
        _ item: PacketItem, _ index: Int, _ values: JSON.Object, _ context: PacketContext,
        _ writing: inout PacketWriting
    ) throws(CommandError) {
        let name = item.name ?? ""
        switch item.content {
        case .number(let field):
            let bits: UInt64
            if let equals = field.equals {
                bits = field.type.mask(equals)
            } else if let counter = field.counter {
                bits = (counter.start &+ context.counts[counter.place, default: 0]) & field.type.allBits
            } else if values[name] == nil, let count = self.count(ofListCountedBy: index, values) {
                guard field.type.range.contains(Int128(count)) else {
                    throw CommandError(
                        .outOfRange, "\(name): at most \(field.type.range.upperBound) elements, got \(count)")
                }
                bits = UInt64(count)
            } else {
                bits = try field.bits(of: values[name], name)
            }
            writing.raws[index] = field.type.integer(bits)
            field.type.append(bits, to: &writing.bytes)
        case .boolean:
            let isSet = try Self.flag(values[name], name)
            writing.raws[index] = isSet ? 1 : 0
            writing.bytes.append(isSet ? 1 : 0)
        case .flags(let type, let fields):
            var number =
                try values[name].map { value throws(CommandError) in
                    try NumberField(type).bits(of: value, name)
                } ?? 0
            for field in fields {
                guard let bits = try field.bits(of: values[field.name]) else { continue }
                number = number & ~field.mask | bits
            }
            writing.raws[index] = Int128(number)
            type.append(number, to: &writing.bytes)
        case .text(let length):
            try write(Array(try Self.text(values[name], name).utf8), length.fixed, name, &writing)
        case .bytes(let form, let length):
            guard let bytes = form.bytes(of: try Self.text(values[name], name)) else {
                throw CommandError(
                    .invalidValue, "\(name): bytes as \(form.rawValue), got \(Self.excerpt(values[name]))")
            }
            try write(bytes, length.fixed, name, &writing)
        case .list(let list): try list.write(values[name], name, &writing.bytes)
        case .sum(let sum): try sum.write(values[name], name, &writing.bytes)
        case .skip(let count): writing.bytes += Array(repeating: 0, count: count)
        case .literal(let bytes): writing.bytes += bytes
        case .pad(let length):
            writing.bytes += Array(repeating: 0, count: max(0, length - writing.bytes.count))
        case .now(let clock): clock.append(context, to: &writing.bytes)
        // ``FileReader`` rejects dates and tags in packets that are written. Here a received packet is written as an
        // example, in which dates are zeros.
        case .date(let date): writing.bytes += Array(repeating: 0, count: date.width)
        case .tagged: break
        case .checksum(let checksum, let span, let isBigEndian):
            let type = NumberType(.unsigned, width: checksum.width, isBigEndian: isBigEndian)
            if let span {
                writing.checksums.append((writing.bytes.count, checksum, span, type))
                type.append(0, to: &writing.bytes)
            } else {
                type.append(checksum.value(of: writing.bytes), to: &writing.bytes)
            }
        }
    }

    /// Writes bytes, padded with zeros to the length.
    private func write(
        _ bytes: [UInt8], _ length: Int?, _ name: String, _ writing: inout PacketWriting
    ) throws(CommandError) {
        let length = length ?? bytes.count
        guard bytes.count <= length else {
            throw CommandError(.outOfRange, "\(name): at most \(length) bytes, got \(bytes.count)")
        }
        writing.bytes += bytes + Array(repeating: 0, count: length - bytes.count)
    }

    /// Returns the number of elements of the list whose count is in the item at `index`; nil if there is no such list.
    private func count(ofListCountedBy index: Int, _ values: JSON.Object) -> Int? {
        for item in items {
            if case .list(let list) = item.content, list.count == .item(index) {
                return item.name.flatMap { values[$0]?.array?.count }
            }
        }
        return nil
    }

    static func flag(_ value: JSON.Value?, _ name: String) throws(CommandError) -> Bool {
        switch value {
        case .bool(let flag): return flag
        case .integer(0): return false
        case .integer(1): return true
        case nil, .null: throw missing(name)
        default: throw CommandError(.invalidValue, "\(name): true or false, got \(excerpt(value))")
        }
    }

    private static func text(_ value: JSON.Value?, _ name: String) throws(CommandError) -> String {
        switch value {
        case .string(let text): return text
        case nil, .null: throw missing(name)
        default: throw CommandError(.invalidValue, "\(name): text, got \(excerpt(value))")
        }
    }

    static func missing(_ name: String) -> CommandError { CommandError(.missingField, "\(name): missing") }

    static func excerpt(_ value: JSON.Value?) -> String {
        let text = value?.description ?? "nothing"
        return text.utf8.count <= 60 ? text : text.prefix(57) + "…"
    }
}

extension Condition {
    /// Whether the values of a command meet the condition.
    package func holds(_ values: JSON.Object, raws: [Int128?] = []) -> Bool {
        tests.allSatisfy { test in
            switch test {
            case .item(let index, let mask, let comparison):
                guard index < raws.count, let raw = raws[index] else { return false }
                return comparison.holds(mask.map { raw & Int128($0) } ?? raw)
            case .field(let name, let test): return test.holds(values[name])
            // This condition applies to the bytes that remain of a received packet. A written packet always meets it.
            case .remaining: return true
            }
        }
    }
}
