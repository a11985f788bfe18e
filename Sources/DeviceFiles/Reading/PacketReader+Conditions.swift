import DeviceKit
import JSON
import YAML

extension PacketReader {
    /// Reads a checksum; returns nil after a problem was reported.
    func checksum(_ node: Node, _ members: Members) -> PacketItem? {
        var span: PacketItem.Span?
        if let over = members["over"] {
            let ends = (over.list(of: "the first and the last index", limit: 2) ?? []).compactMap {
                $0.integer(-512...511)
            }
            guard ends.count == 2 else {
                over.mismatch(allowed: "[first, last], negative from the end")
                return nil
            }
            span = PacketItem.Span(ends[0], ends[1])
        }
        let isBig = isBig(members)
        if case .mapping = node.tree.content {
            guard let members = node.members(["width", "poly", "init", "reflect", "xor"]),
                let width = members.required("width", "8, 16 or 32")?.choice(["8", "16", "32"]).flatMap({
                    Int($0)
                }),
                let polynomial = members.required("poly", "a number")?.integer(1...(1 << width - 1))
            else { return nil }
            let range = 0...(1 << width - 1)
            let crc = Checksum.CRC(
                width: width, polynomial: UInt32(polynomial),
                initial: UInt32(members["init"]?.integer(range) ?? 0),
                isReflected: members["reflect"]?.flag() ?? false,
                final: UInt32(members["xor"]?.integer(range) ?? 0))
            return PacketItem(nil, .checksum(.crc(crc), over: span, isBigEndian: isBig))
        }
        guard let name = node.choice(Checksum.named.map(\.name)),
            let checksum = Checksum.named.first(where: { $0.name == name })?.checksum
        else { return nil }
        return PacketItem(nil, .checksum(checksum, over: span, isBigEndian: isBig))
    }

    /// Reads the condition for an item; returns nil after a problem was reported.
    func condition(_ node: Node) -> Condition? {
        guard case .mapping(let list) = node.tree.content, !list.isEmpty else {
            node.mismatch(allowed: "a mapping such as { _flags: { mask: 1, equals: 0 } }")
            return nil
        }
        var tests: [Condition.Test] = []
        for member in list {
            let value = Node(member.value, "\(node.path).\(member.key)", at: member.place, node.findings)
            if case .writing(let fields, _) = purpose,
                let field = fields.first(where: { $0.name == member.key })
            {
                if let test = FileReader.fieldTest(value, field) { tests.append(.field(field.name, test)) }
            } else if member.key == "remaining", !isWritten,
                !items.contains(where: { $0.name == "remaining" })
            {
                if let count = value.integer(1...512) { tests.append(.remaining(count)) }
            } else if let test = itemTest(member.key, value) {
                tests.append(test)
            }
        }
        return tests.count == list.count ? Condition(tests) : nil
    }

    private func itemTest(_ name: String, _ node: Node) -> Condition.Test? {
        for (index, item) in items.enumerated() {
            if case .flags(let type, let bits) = item.content {
                if let bit = bits.first(where: { $0.name == name }) {
                    if bit.first == bit.last, let flag = node.scalar, ["true", "false"].contains(flag) {
                        let value = flag == "true" ? Int128(bit.mask) : 0
                        return .item(index, mask: bit.mask, Condition.Comparison(equals: value))
                    }
                    guard let raw = node.raw(0...(Int128(bit.mask) >> bit.first)) else { return nil }
                    return .item(index, mask: bit.mask, Condition.Comparison(equals: raw << bit.first))
                }
                if item.name == name {
                    return comparison(node, type.range).map { .item(index, mask: $0.0, $0.1) }
                }
            }
            if item.name == name {
                switch item.content {
                case .number(let field) where field.type.isInteger:
                    return comparison(node, field.type.range).map { .item(index, mask: $0.0, $0.1) }
                case .boolean:
                    return node.flag().map {
                        .item(index, mask: nil, $0 ? .init(atLeast: 1) : .init(equals: 0))
                    }
                default:
                    node.complain("found a test of \(name); allowed: a whole number, a bool or a bit")
                    return nil
                }
            }
        }
        var bits: [String] = []
        for item in items { if case .flags(_, let fields) = item.content { bits += fields.map(\.name) } }
        let known = items.compactMap(\.name) + bits + fields.map(\.name) + (isWritten ? [] : ["remaining"])
        let near = Nearest.word(to: name, among: known).map { "did you mean \($0)? Allowed" } ?? "allowed"
        node.complain("found \(name); \(near): an earlier field: \(known.joined(separator: " "))")
        return nil
    }

    private func comparison(_ node: Node, _ range: ClosedRange<Int128>) -> (UInt64?, Condition.Comparison)? {
        guard case .mapping = node.tree.content else {
            return node.raw(range).map { (nil, Condition.Comparison(equals: $0)) }
        }
        guard let members = node.members(["mask", "equals", "at_least", "at_most"]) else { return nil }
        let mask = members["mask"]?.raw(1...Int128(UInt64.max)).map { UInt64($0) }
        let comparison = Condition.Comparison(
            equals: members["equals"]?.raw(range), atLeast: members["at_least"]?.raw(range),
            atMost: members["at_most"]?.raw(range))
        guard comparison != Condition.Comparison() else {
            // If a comparison is present but invalid, the problem was already reported.
            if members.given(["equals", "at_least", "at_most"]).isEmpty {
                node.complain("found no comparison; allowed: equals at_least at_most")
            }
            return nil
        }
        return (mask, comparison)
    }
}

extension FileReader {
    /// Reads the condition for a step of a command; returns nil after a problem was reported.
    func fieldCondition(_ node: Node, _ fields: [Field]) -> Condition? {
        let names = fields.map(\.name)
        guard let members = node.members(names), !members.list.isEmpty else {
            if case .mapping = node.tree.content {
                node.complain("found nothing; allowed: \(names.joined(separator: " "))")
            }
            return nil
        }
        let tests = fields.compactMap { field in
            members[field.name].flatMap { Self.fieldTest($0, field) }.map {
                Condition.Test.field(field.name, $0)
            }
        }
        return tests.count == members.list.count ? Condition(tests) : nil
    }

    /// Reads the test of a field of a command; returns nil after a problem was reported.
    static func fieldTest(_ node: Node, _ field: Field) -> FieldTest? {
        guard case .mapping = node.tree.content else {
            return fieldValue(node, field.type).map { FieldTest(equals: $0) }
        }
        var isNumber = false
        switch field.type {
        case .integer, .number: isNumber = true
        default: break
        }
        let keys = isNumber ? ["equals", "at_least", "at_most", "given"] : ["equals", "given"]
        guard let members = node.members(keys) else { return nil }
        var test = FieldTest()
        test.equals = members["equals"].flatMap { fieldValue($0, field.type) }
        test.atLeast = members["at_least"]?.decimal()?.double
        test.atMost = members["at_most"]?.decimal()?.double
        test.given = members["given"]?.flag()
        guard test != FieldTest() else {
            if members.given(keys).isEmpty, members.list.isEmpty {
                node.complain("found no comparison; allowed: \(keys.joined(separator: " "))")
            }
            return nil
        }
        return test
    }

    /// Reads a value of the field's type; returns nil after a problem was reported.
    static func fieldValue(_ node: Node, _ type: FieldType) -> JSON.Value? {
        var value = node.json()
        switch type {
        case .text, .choice:
            if let text = node.scalar { value = .string(text) }
        default: break
        }
        do throws(CommandError) {
            return try type.check(value, path: "")
        } catch {
            node.mismatch(allowed: type.allowed)
            return nil
        }
    }
}
