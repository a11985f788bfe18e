import JSON

extension PacketFormat {
    /// Bytes that match the packet; nil if none are found. For each field, a list of candidate values is tried, and the
    /// first value that the field's limits allow is used.
    package var example: [UInt8]? {
        guard let bytes = try? write(exampleValues).bytes, (try? read(bytes)) != nil else { return nil }
        return bytes
    }

    /// A value for each field, including unpublished fields.
    fileprivate var exampleValues: JSON.Object {
        var values = JSON.Object()
        for item in items {
            if case .flags(_, let bits) = item.content {
                for bit in bits where values[bit.name] == nil { values[bit.name] = bit.example }
            }
            if let name = item.name, values[name] == nil { values[name] = item.example }
        }
        return values
    }
}

extension PacketItem {
    /// An example value that can be written and read; nil for an item without a value.
    var example: JSON.Value? {
        switch content {
        case .number(let field): field.example
        case .boolean: false
        case .text, .bytes: ""
        case .list(let list): list.example
        case .sum(let sum): sum.example
        // No example value can be chosen for these items: their bytes are fixed, or follow from their bit fields or
        // from the rest of the packet.
        case .flags, .skip, .literal, .pad, .now, .date, .tagged, .checksum: nil
        }
    }
}

extension NumberField {
    /// An example value that can be written and read; nil if the value is fixed or no candidate fits.
    fileprivate var example: JSON.Value? {
        guard equals == nil, counter == nil else { return nil }
        if let word = words.first { return .string(word.word) }
        return candidates.first { $0.isWhole(in: self) }
    }

    /// The values 0 and 1 are first, because the limits of a number without declared limits are huge.
    private var candidates: [JSON.Value] {
        let (lower, upper) = limits
        return [0, 1, lower.json, upper.json]
    }
}

extension JSON.Value {
    /// Whether the value can be written, and the written bits are read as a value other than `null`.
    fileprivate func isWhole(in field: NumberField) -> Bool {
        guard let bits = try? field.bits(of: self, "") else { return false }
        return (try? field.value(ofBits: bits, nil)).map { $0 != .null } ?? false
    }
}

extension BitField {
    fileprivate var example: JSON.Value? {
        guard let number else { return false }
        guard number.equals == nil else { return nil }
        return number.words.first.map { .string($0.word) } ?? number.example
    }
}

extension ListField {
    /// A list with the required number of elements; empty for a list of variable length.
    fileprivate var example: JSON.Value {
        guard case .fixed(let count) = count else { return [] }
        let element: JSON.Value? =
            switch element {
            case .number(let field): field.equals.map { .integer(Int(clamping: $0)) } ?? field.example
            case .boolean: false
            case .items(let packet): .object(packet.exampleValues)
            }
        return .array(Array(repeating: element ?? .null, count: count))
    }
}

extension SumField {
    fileprivate var example: JSON.Value {
        if let minimum, minimum > 0 { return minimum.json }
        if let maximum, maximum < 0 { return maximum.json }
        return 0
    }
}
