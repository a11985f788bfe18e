package import JSON

/// The decoded contents of a packet.
package struct PacketReading: Hashable, Sendable {
    /// The published values, in the order of the items. Absent items have no value.
    package fileprivate(set) var values = JSON.Object()
    /// The items that are present in the packet, as a bit mask: bit 0 represents the first item.
    package fileprivate(set) var reached: UInt64 = 0

    /// The sequence number, which is the value of the item ``PacketFormat/sequence``; nil if the packet does not
    /// contain it.
    package fileprivate(set) var sequence: UInt64?

    /// The raw values of the items that were read so far; empty if no item and no rate depends on them.
    fileprivate(set) var raws: [Int128?] = []
    /// The offset of the host's time zone, in minutes east of UTC.
    fileprivate let utcOffset: Int
    fileprivate let sequenceName: String?

    /// Creates a reading from the values that were captured from a line of text.
    init(_ values: JSON.Object) {
        self.init(utcOffset: 0, sequenceName: nil)
        self.values = values
    }

    fileprivate init(utcOffset: Int, sequenceName: String?) {
        self.utcOffset = utcOffset
        self.sequenceName = sequenceName
    }

    /// An empty reading, with the same parameters, for a part of the same packet, such as the items of a tag.
    var part: PacketReading { PacketReading(utcOffset: utcOffset, sequenceName: sequenceName) }

    /// Adds the values that follow a tag. A name that occurs again gets a number, such as `temperature_2`, up to the
    /// number of occurrences in `times`.
    mutating func add(_ part: PacketReading, _ times: [String: Int], taken: Set<String>?) {
        sequence = part.sequence ?? sequence
        for member in part.values.members where taken?.contains(member.key) ?? true {
            let limit = times[member.key] ?? 1
            let name = (1...limit).lazy.map { TaggedField.name(member.key, $0) }.first { values[$0] == nil }
            if let name { values.append(new: name, member.value) }
        }
    }

    fileprivate mutating func note(_ raw: Int128, of index: Int) {
        if !raws.isEmpty { raws[index] = raw }
    }
}

extension PacketFormat {
    /// Decodes a packet.
    ///
    /// - Parameter utcOffset: The offset of the host's time zone, in minutes east of UTC.
    /// - Throws: ``PacketMisfit`` with the field that does not match and the reason.
    package func read(_ bytes: [UInt8], utcOffset: Int = 0) throws(PacketMisfit) -> PacketReading {
        var reading = PacketReading(utcOffset: utcOffset, sequenceName: sequence)
        var position = 0
        try read(bytes, &position, &reading)
        if isExact, position < bytes.count {
            throw PacketMisfit(nil, "found \(bytes.count) bytes; allowed: \(position)")
        }
        return reading
    }

    /// Decodes the items, starting at a position in the bytes, which is advanced.
    func read(
        _ bytes: [UInt8], _ position: inout Int, _ reading: inout PacketReading
    ) throws(PacketMisfit) {
        if !isStraight { reading.raws = Array(repeating: nil, count: items.count) }
        reading.values.reserveCapacity(publishedCount + 2)
        // Items are accessed by index, because they are large: copying an item would cost more than reading its bytes.
        for index in items.indices {
            if twins[index] & reading.reached != 0 { continue }
            if let condition = items[index].condition,
                !condition.holds(raws: reading.raws, remaining: bytes.count - position)
            {
                continue
            }
            try read(index, bytes, &position, &reading)
            reading.reached |= 1 << UInt64(index)
        }
    }

    /// Whether the first number shows that the packet belongs to another feature. This check is fast;
    /// ``read(_:utcOffset:)`` also returns the reason.
    package func isStranger(_ bytes: [UInt8]) -> Bool {
        guard let signType, bytes.count >= signType.width else { return false }
        let number = signType.bits(bytes, at: 0)
        for index in signs.indices where !signs[index].isThere(number) { return true }
        return false
    }

    private func publish(_ name: String?, _ value: JSON.Value, _ reading: inout PacketReading) {
        if namesDiffer {
            reading.values.append(new: name ?? "", value)
        } else {
            reading.values[name ?? ""] = value
        }
    }

    private func read(
        _ index: Int, _ bytes: [UInt8], _ position: inout Int, _ reading: inout PacketReading
    ) throws(PacketMisfit) {
        let (name, isPublished) = (items[index].name, published[index])
        switch items[index].content {
        case .number(let field):
            let bits = try field.type.take(bytes, &position, name)
            reading.note(field.type.integer(bits), of: index)
            if let wanted = reading.sequenceName, name == wanted { reading.sequence = bits }
            let value = try field.value(ofBits: bits, name)
            if isPublished { publish(name, value, &reading) }
        case .boolean:
            let byte = try Self.take(1, bytes, &position, name)[position - 1]
            reading.note(Int128(byte), of: index)
            if isPublished { publish(name, .bool(byte != 0), &reading) }
        case .flags(let type, let bits):
            let number = try type.take(bytes, &position, name)
            reading.note(Int128(number), of: index)
            if isPublished {
                publish(name, try NumberField.whole(Int128(number), name), &reading)
            }
            for bit in bits.indices {
                let value = try bits[bit].value(of: number)
                if bits[bit].isPublished, isTaken(bits[bit].name) {
                    publish(bits[bit].name, value, &reading)
                }
            }
        case .text(let length):
            let count = try count(length, of: index, left: bytes.count - position, reading.raws, name)
            let part = try Self.take(count, bytes, &position, name)
            if isPublished {
                publish(
                    name, .string(String(decoding: part.prefix { $0 != 0 }, as: UTF8.self)), &reading)
            }
        case .bytes(let form, let length):
            let count = try count(length, of: index, left: bytes.count - position, reading.raws, name)
            let part = try Self.take(count, bytes, &position, name)
            if isPublished { publish(name, .string(form.text(of: part)), &reading) }
        case .list(let list):
            let count = try list.count(
                in: self, at: index, left: bytes.count - position, reading.raws, name)
            var elements: [JSON.Value] = []
            for _ in 0..<count { elements.append(try list.read(bytes, &position, name)) }
            if isPublished { publish(name, .array(elements), &reading) }
        case .sum(let sum):
            let value = try sum.read(bytes, &position, name)
            if isPublished { publish(name, value, &reading) }
        case .date(let date):
            let value = try date.read(bytes, &position, utcOffset: reading.utcOffset, name)
            if isPublished { publish(name, value, &reading) }
        case .tagged(let field):
            let end = max(position, bytes.count - tail(behind: index))
            try field.read(bytes, &position, to: end, &reading, taken: taken)
        case .skip(let count): _ = try Self.take(count, bytes, &position, nil)
        case .literal(let expected):
            let part = try Self.take(expected.count, bytes, &position, nil)
            guard part.elementsEqual(expected) else {
                let (found, allowed) = (
                    PacketItem.BytesForm.hex.text(of: part), PacketItem.BytesForm.hex.text(of: expected[...])
                )
                throw PacketMisfit(nil, "found \(found); allowed: \(allowed)")
            }
        case .pad(let length):
            guard bytes.count >= length else {
                throw PacketMisfit(nil, "found \(bytes.count) bytes; allowed: at least \(length)")
            }
            position = max(position, length)
        case .now(let clock): _ = try Self.take(clock.width, bytes, &position, nil)
        case .checksum(let checksum, let span, let isBigEndian):
            let range =
                try span.map { span throws(PacketMisfit) in try span.range(in: bytes.count) } ?? 0..<position
            let type = NumberType(.unsigned, width: checksum.width, isBigEndian: isBigEndian)
            let found = try type.take(bytes, &position, "checksum")
            let computed = checksum.value(of: bytes[range])
            guard found == computed else {
                throw PacketMisfit(
                    "checksum", "found \(String(found, radix: 16)); allowed: \(String(computed, radix: 16))")
            }
        }
    }

    /// Returns the next bytes and advances the position; throws if the packet is too short.
    static func take(
        _ count: Int, _ bytes: [UInt8], _ position: inout Int, _ name: String?
    ) throws(PacketMisfit) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else {
            throw PacketMisfit(name, end: bytes.count, needed: count)
        }
        position += count
        return bytes[(position - count)..<position]
    }
}

extension PacketItem.Span {
    /// Returns the range of indexes in a packet of `count` bytes.
    func range(in count: Int) throws(PacketMisfit) -> Range<Int> {
        let low = first < 0 ? count + first : first
        let high = last < 0 ? count + last : last
        guard low >= 0, low <= high, high < count else {
            throw PacketMisfit(
                "checksum",
                "found a packet of \(count) bytes; over: [\(first), \(last)] does not fit its length")
        }
        return low..<(high + 1)
    }
}

extension NumberType {
    /// Returns the bits of the next number and advances the position.
    func take(_ bytes: [UInt8], _ position: inout Int, _ name: String?) throws(PacketMisfit) -> UInt64 {
        guard width <= bytes.count - position else {
            throw PacketMisfit(name, end: bytes.count, needed: width)
        }
        defer { position += width }
        return bits(bytes, at: position)
    }
}

extension Condition {
    /// Whether the condition is met while a packet is read.
    func holds(raws: [Int128?], remaining: Int) -> Bool {
        tests.allSatisfy { test in
            switch test {
            case .item(let index, let mask, let comparison):
                // Every test of an absent item fails.
                guard let raw = raws[index] else { return false }
                return comparison.holds(mask.map { raw & Int128($0) } ?? raw)
            case .remaining(let count): return remaining >= count
            case .field: return false
            }
        }
    }
}

extension PacketItem.BytesForm {
    /// Formats bytes as text.
    func text(of bytes: ArraySlice<UInt8>) -> String {
        switch self {
        case .hex: Base16.text(of: bytes)
        case .base64: Base64.text(of: bytes)
        }
    }

    /// Parses a text; returns nil for an invalid text.
    func bytes(of text: String) -> [UInt8]? {
        switch self {
        case .hex: Base16.bytes(of: text)
        case .base64: Base64.bytes(of: text)
        }
    }
}
