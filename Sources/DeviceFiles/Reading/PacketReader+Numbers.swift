import DeviceKit
import JSON
import YAML

extension PacketReader {
    /// Reads a number with its qualifiers, such as `scale` and `minimum`; returns nil after a problem was reported.
    func number(_ type: NumberType, _ members: Members) -> NumberField? {
        var type = type
        type.isBigEndian = isBig(members)
        var field = NumberField(type)
        field.scaling = scaling(type, members)
        field.nulls = (members["null_if"]?.oneOrMore(limit: 16) ?? []).compactMap { null($0, type) }
        if type.isInteger {
            if isAnswer, let node = members["equals"], case .mapping = node.tree.content {
                field.written = node.members(["written"])?.required("written", "an index")?.integer(0...511)
            } else {
                field.equals = members["equals"]?.raw(type.range)
            }
            field.counter = members["counter"].flatMap { counter($0, type) }
            (field.words, field.unknown) = words(members, type.range)
        } else {
            members.refuse(
                ["equals", "values", "unknown"], "a number with a fraction has no integer raw value")
        }
        if !field.words.isEmpty {
            members.refuse(["scale", "offset", "round", "minimum", "maximum"], "its values are words")
        }
        readLimits(members, &field.minimum, &field.maximum)
        return field
    }

    func readLimits(_ members: Members, _ minimum: inout Decimal?, _ maximum: inout Decimal?) {
        minimum = members["minimum"]?.decimal()
        maximum = members["maximum"]?.decimal()
        if let low = minimum, let high = maximum, low > high {
            members["maximum"]?.complain("found \(high); allowed: at least the minimum, \(low)")
        }
    }

    private func scaling(_ type: NumberType, _ members: Members) -> Scaling? {
        let places = members["round"]?.integer(0...9)
        let offset = members["offset"]?.decimal()
        guard let node = members["scale"] else {
            guard offset != nil || places != nil else { return nil }
            return Scaling(offset: offset ?? 0, places: places)
        }
        let parts = (node.scalar ?? "").split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Decimal($0) }
        guard numbers.count == parts.count, (1...2).contains(numbers.count), numbers.allSatisfy({ $0 != 0 }),
            numbers.allSatisfy({ $0.coefficient.magnitude < 1_000_000_000_000 && $0.places <= 12 })
        else {
            node.mismatch(allowed: "a number that is not 0, such as 0.01, or a fraction such as 1000/1024")
            return nil
        }
        if numbers.count == 2, places == nil {
            node.complain(
                "found the fraction \(node.found) without round; allowed: round with the number of decimals")
        }
        return Scaling(
            numbers[0], over: numbers.count == 2 ? numbers[1] : 1, offset: offset ?? 0, places: places)
    }

    /// Reads a raw value that represents a missing value: a number, or bits as `0x…`.
    private func null(_ node: Node, _ type: NumberType) -> NumberField.Null? {
        if let text = node.scalar, text.hasPrefix("0x") {
            return node.raw(0...(Int128(1) << (type.width * 8) - 1)).map { .bits(UInt64($0)) }
        }
        guard let number = node.scalar.flatMap({ Decimal($0) }) else {
            node.mismatch(allowed: "a raw value, or its bits as 0x…")
            return nil
        }
        if type.isInteger, !(number.whole.map(type.range.contains) ?? false) {
            node.mismatch(
                allowed: "a raw value \(type.range.lowerBound)...\(type.range.upperBound), or its bits as 0x…"
            )
        }
        return .value(number)
    }

    func words(_ members: Members, _ range: ClosedRange<Int128>) -> ([NumberField.Word], String?) {
        guard let node = members["values"] else {
            members.refuse(["unknown"], "there are no values")
            return ([], nil)
        }
        var words: [NumberField.Word] = []
        guard case .mapping(let list) = node.tree.content, !list.isEmpty, list.count <= 256 else {
            node.mismatch(allowed: "a mapping of raw values to words")
            return ([], nil)
        }
        for member in list {
            let place = Node(member.value, "\(node.path).\(member.key)", at: member.place, node.findings)
            guard let raw = Scalar.integer(member.key), range.contains(raw) else {
                place.complain(
                    "found \(member.key); allowed: a raw value \(range.lowerBound)...\(range.upperBound)")
                continue
            }
            if words.contains(where: { $0.raw == raw }) {
                place.complain("found \(raw) twice; allowed: each raw value once")
            }
            guard let word = place.text(1...64) else { continue }
            if words.contains(where: { $0.word == word }), isWritten {
                place.complain(
                    "found the word \(word) twice; allowed: each word once in a packet that is written")
            }
            words.append(NumberField.Word(raw, word))
        }
        return (words, members["unknown"]?.text(1...64))
    }

    // MARK: Flags, lists and sums

    func flags(
        _ name: String, _ type: NumberType, _ members: Members, _ look: FieldLook, _ always: [String]
    ) -> PacketItem? {
        guard type.kind == .unsigned, let node = members["bits"] else {
            members["bits"]?.complain(
                "found bits of \(type.name); allowed: an unsigned number: u8 u16 u24 u32 u64")
            return nil
        }
        refuse(
            members, besides: always + ["bits", "big", "if"] + Self.looks,
            "a number with bits takes big if \(Self.looks.joined(separator: " "))")
        var type = type
        type.isBigEndian = isBig(members)
        var bits: [BitField] = []
        for (name, node) in node.named("names to bits", limit: 64) ?? [] {
            if let bit = bit(name, node, type) { bits.append(bit) }
        }
        return PacketItem(name, .flags(type, bits: bits), look: look)
    }

    private func bit(_ name: String, _ node: Node, _ type: NumberType) -> BitField? {
        let bare = name.hasPrefix("_") ? String(name.dropFirst()) : name
        guard Node.isName(bare),
            isVersion2(node) || !Self.types.contains(name) && !Self.qualifiers.contains(name)
        else {
            node.complain(
                "found the name \(name); allowed: lowercase letters, digits and _, and no name of a type or qualifier"
            )
            return nil
        }
        let allowed = 0...(type.width * 8 - 1)
        if isWritten { checkValue(name, node) }
        guard case .mapping = node.tree.content else {
            return node.integer(allowed).map { BitField(name, first: $0, last: $0) }
        }
        let keys =
            [
                "at", "values", "unknown", "null_if", "equals", "scale", "offset", "round", "minimum",
                "maximum",
            ] + Self.looks
        guard let members = node.members(keys),
            let at = members.required("at", "a bit, or the first and the last")
        else {
            return nil
        }
        let ends = at.oneOrMore(limit: 2).compactMap { $0.integer(allowed) }
        guard let first = ends.first, let last = ends.last, first <= last else {
            if !ends.isEmpty { at.complain("found the first bit above the last; allowed: [first, last]") }
            return nil
        }
        let width = last - first + 1
        let isBoolean =
            width == 1 && members.list.allSatisfy { ["at"].contains($0.key) || Self.looks.contains($0.key) }
        var bit = BitField(name, first: first, last: last, look: look(members))
        if !isBoolean {
            var reader = PacketReader(.reading)
            reader.isBigEndian = false
            let number = NumberType(.unsigned, width: 8)
            bit.number = reader.number(number, members)
            let range = 0...(Int128(1) << width - 1)
            for word in bit.number?.words ?? [] where !range.contains(word.raw) {
                members["values"]?.complain(
                    "found \(word.raw); allowed: a raw value \(range.lowerBound)...\(range.upperBound)")
            }
        }
        return bit
    }

    func list(_ name: String, _ node: Node, _ members: Members) -> ListField? {
        guard let of = members.required("of", "a type or items") else { return nil }
        if isWritten { checkValue(name, node) }
        let element: ListField.Element
        if case .sequence = of.tree.content {
            refuse(
                members, besides: [name, "of", "count", "if", "big"] + Self.looks,
                "a list of items takes of count if big \(Self.looks.joined(separator: " "))")
            var reader = PacketReader(.reading)
            reader.isBigEndian = isBig(members)
            guard let items = reader.elementItems(of) else { return nil }
            element = .items(PacketFormat(items))
        } else {
            guard let type = of.choice(NumberType.named.map(\.name) + ["bool"]) else { return nil }
            if let type = NumberType(type) {
                guard let number = number(type, members) else { return nil }
                element = .number(number)
            } else {
                refuse(
                    members, besides: [name, "of", "count", "if"] + Self.looks,
                    "a list of bool takes of count if \(Self.looks.joined(separator: " "))")
                element = .boolean
            }
        }
        var count = ListField.Count.rest
        if let node = members["count"], node.scalar != "rest" {
            if let word = node.scalar,
                let index = items.firstIndex(where: { $0.name == word && $0.isWholeNumber })
            {
                count = .item(index)
            } else if let number = node.scalar.flatMap(Scalar.integer), (1...512).contains(number) {
                count = .fixed(Int(number))
            } else {
                let names = items.filter(\.isWholeNumber).compactMap(\.name)
                node.mismatch(allowed: (["1...512", "rest"] + names).joined(separator: " "))
            }
        }
        return ListField(of: element, count: count)
    }

    /// Reads the items of one element of a list, which must have a fixed length; returns nil after a problem was
    /// reported.
    mutating func elementItems(_ node: Node) -> [PacketItem]? {
        guard let packet = packet(node, beside: Members(node, [])) else { return nil }
        for item in packet.items {
            let isPlain: Bool
            switch item.content {
            case .number, .boolean, .flags, .text, .bytes, .skip, .literal: isPlain = true
            case .list, .sum, .pad, .now, .date, .tagged, .checksum: isPlain = false
            }
            if item.width == nil || item.condition != nil || !isPlain {
                node.complain(
                    "found an element without a fixed length; allowed: numbers, bool, text and bytes with length, skip, literal, no if"
                )
                return nil
            }
        }
        return packet.items
    }

    func sum(_ name: String, _ node: Node, _ members: Members) -> SumField? {
        if isWritten { checkValue(name, node) }
        guard let of = members.required("of", "a list of types, or of { type: scale }"),
            let nodes = of.list(of: "types, or of { type: scale }", limit: 8)
        else { return nil }
        let names = NumberType.named.filter(\.type.isInteger).map(\.name)
        var parts: [SumField.Part] = []
        for node in nodes {
            var scale: Decimal = 1
            var word: String?
            if case .mapping(let list) = node.tree.content, list.count == 1 {
                let value = Node(
                    list[0].value, "\(node.path).\(list[0].key)", at: list[0].place, node.findings)
                word = names.contains(list[0].key) ? list[0].key : nil
                if word == nil {
                    value.complain("found \(list[0].key); allowed: \(names.joined(separator: " "))")
                }
                scale = value.decimal() ?? 1
                if scale <= 0 { value.mismatch(allowed: "a number above 0") }
            } else {
                word = node.choice(names)
            }
            guard let word, var type = NumberType(word) else { continue }
            type.isBigEndian = isBig(members)
            if !parts.isEmpty, type.kind == .signed {
                node.complain(
                    "found \(word); allowed: an unsigned type, since later parts take the sign of the first")
            }
            parts.append(SumField.Part(type, scale: scale))
        }
        if nodes.isEmpty { of.complain("found an empty list; allowed: at least one part") }
        var sum = SumField(parts)
        readLimits(members, &sum.minimum, &sum.maximum)
        return sum
    }
}

extension PacketItem {
    /// Whether the item is a whole number, which can be the length of a list.
    var isWholeNumber: Bool {
        if case .number(let field) = content { field.type.isInteger } else { false }
    }
}
