import JSON

extension PacketFormat {
    /// Bytes that it fits, each field with the first of some plain values that its limits allow; nil where none are found.
    package var example: [UInt8]? {
        guard let bytes = try? write(exampleValues).bytes, (try? read(bytes)) != nil else { return nil }
        return bytes
    }

    /// A value for each field, those that are not published included.
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
    /// A value that can be written and read; nil where it has none.
    var example: JSON.Value? {
        switch content {
        case .number(let field): field.example
        case .boolean: false
        case .text, .bytes: ""
        case .list(let list): list.example
        case .sum(let sum): sum.example
        // Its bits say what it is.
        case .flags, .skip, .literal, .pad, .now, .checksum: nil
        }
    }
}

extension NumberField {
    /// A value that can be written and read; nil where what is written says its value, or none is found.
    fileprivate var example: JSON.Value? {
        guard equals == nil else { return nil }
        if let word = words.first { return .string(word.word) }
        return candidates.first { $0.isWhole(in: self) }
    }

    /// 0 and 1 first: limits of numbers that have none are huge.
    private var candidates: [JSON.Value] {
        let (lower, upper) = limits
        return [0, 1, lower.json, upper.json]
    }
}

extension JSON.Value {
    /// Whether a field takes it and gives it back.
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
    /// As many elements as there must be.
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
