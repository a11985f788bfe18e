import JSON

extension ListField {
    func count(
        in packet: PacketFormat, at index: Int, left: Int, _ raws: [Int128?], _ name: String?
    ) throws(PacketMisfit) -> Int {
        switch count {
        case .fixed(let count): return count
        case .rest: return max(0, left - packet.tail(behind: index)) / max(1, width)
        case .item(let index):
            guard let count = raws[index].flatMap({ Int(exactly: $0) }), count >= 0,
                count <= PacketFormat.limit
            else { throw PacketMisfit(name, "the packet does not contain the number of its elements") }
            return count
        }
    }

    func read(
        _ bytes: [UInt8], _ position: inout Int, _ name: String?
    ) throws(PacketMisfit) -> JSON.Value {
        switch element {
        case .number(let field):
            return try field.value(ofBits: try field.type.take(bytes, &position, name), name)
        case .boolean: return .bool(try PacketFormat.take(1, bytes, &position, name)[position - 1] != 0)
        case .items(let packet):
            let part = try PacketFormat.take(width, bytes, &position, name)
            return .object(try packet.read(Array(part)).values)
        }
    }
}

extension SumField {
    func read(
        _ bytes: [UInt8], _ position: inout Int, _ name: String?
    ) throws(PacketMisfit) -> JSON.Value {
        var total: Decimal = 0
        var isNegative = false
        for (index, part) in parts.enumerated() {
            let raw = part.type.integer(try part.type.take(bytes, &position, name))
            if index == 0 { isNegative = raw < 0 }
            let signed = index > 0 && isNegative ? -raw : raw
            guard let addend = Decimal.product(Decimal(signed), part.scale),
                let sum = Decimal.sum(total, addend)
            else { throw PacketMisfit(name, "the sum is too large") }
            total = sum
        }
        try NumberField.check(total, minimum, maximum, name)
        if let whole = total.whole { return try NumberField.whole(whole, name) }
        return total.json
    }
}
