import DeviceKit
import JSON
import YAML

/// Reads the items of a packet.
struct PacketReader {
    enum Purpose {
        case reading
        /// The packet is written with these fields. In a command, fields can decide whether an item is present.
        case writing([Field], isCommand: Bool)
    }

    /// The keys that qualify an item.
    static let qualifiers = [
        "big", "scale", "offset", "round", "equals", "values", "unknown", "null_if", "if", "unit", "minimum",
        "maximum", "class", "category", "name", "icon", "length", "of", "count", "bits", "over", "at",
    ]
    static let nameless = ["skip", "literal", "pad", "now", "checksum"]
    /// The types that are not numbers.
    static let otherTypes = ["bool", "text", "bytes", "base64", "hex", "list", "sum"]
    static let types = NumberType.named.map(\.name) + otherTypes
    static let looks = ["unit", "class", "category", "name", "icon"]
    static let scaling = ["big", "scale", "offset", "round", "minimum", "maximum"]

    let purpose: Purpose
    /// Whether numbers of the packet are big-endian by default.
    var isBigEndian = false
    private(set) var items: [PacketItem] = []
    /// The names of the items that contain the length of a list.
    private(set) var counts: Set<String> = []

    init(_ purpose: Purpose) { self.purpose = purpose }

    var isWritten: Bool { if case .writing = purpose { true } else { false } }
    var fields: [Field] { if case .writing(let fields, _) = purpose { fields } else { [] } }

    /// Reads a packet. The members contain `big` and `exact`.
    mutating func packet(_ node: Node, beside members: Members) -> PacketFormat? {
        isBigEndian = members["big"]?.flag() ?? false
        let isExact = members["exact"]?.flag() ?? false
        guard let nodes = node.list(of: "items, such as { level: u8 }", limit: 64) else { return nil }
        if nodes.isEmpty { node.complain("found an empty list; allowed: at least one item") }
        counts = Set(nodes.compactMap { $0.tree.member("count") })
        let before = node.findings.count
        for node in nodes { if let item = item(node) { items.append(item) } }
        guard node.findings.count == before else { return nil }
        check(node, nodes)
        return PacketFormat(items, isExact: isExact)
    }

    /// Checks conditions that concern several items.
    private func check(_ node: Node, _ nodes: [Node]) {
        let size = items.reduce(0) { $0 + ($1.width ?? 0) }
        if size > PacketFormat.limit {
            node.complain("found a packet of \(size) bytes; allowed: at most \(PacketFormat.limit)")
        }
        for (index, item) in items.enumerated() {
            if item.takesRest,
                let next = items[(index + 1)...].firstIndex(where: { $0.width == nil || $0.condition != nil })
            {
                nodes[next].complain(
                    "found it behind an item that takes the rest; allowed: items of a fixed length without if"
                )
            }
            guard let name = item.name else { continue }
            let twins = items.indices.filter { items[$0].name == name }
            if twins.count > 1, twins.contains(where: { items[$0].condition == nil }), twins.last == index {
                nodes[index].complain("found the field \(name) again; allowed: once, or each time with if")
            }
        }
        let names = Set(items.compactMap(\.name))
        for (index, item) in items.enumerated() {
            guard case .flags(_, let bits) = item.content else { continue }
            for bit in bits where names.contains(bit.name) || bits.count(where: { $0.name == bit.name }) > 1 {
                nodes[index].complain("found the field \(bit.name) again; allowed: each name once")
            }
        }
    }

    // MARK: One item

    private mutating func item(_ node: Node) -> PacketItem? {
        guard case .mapping(let list) = node.tree.content else {
            node.mismatch(allowed: "an item such as { level: u8 }")
            return nil
        }
        let keys = list.map(\.key).filter { !Self.qualifiers.contains($0) }
        guard keys.count == 1 else {
            guard let extra = keys.last else {
                node.complain("found no field; allowed: one key that is no qualifier, such as level: u8")
                return nil
            }
            let near = Nearest.word(to: extra, among: Self.qualifiers + Self.nameless)
            node.complain(
                "found the fields \(keys.joined(separator: " and ")); \(near.map { "did you mean \($0)? Allowed" } ?? "allowed"): "
                    + "one field, and \(Self.qualifiers.joined(separator: " "))")
            return nil
        }
        guard let members = node.members([], anyOther: true), let value = members[keys[0]] else { return nil }
        let key = keys[0]
        if let member = list.first(where: { $0.key == key }) { node.warnOfKey(member) }
        let item = Self.nameless.contains(key) ? nameless(key, value, members) : field(key, value, members)
        guard var item else { return nil }
        item.line = node.place.line
        if let condition = members["if"] { item.condition = self.condition(condition) }
        return item
    }

    private func nameless(_ key: String, _ value: Node, _ members: Members) -> PacketItem? {
        let allowed: [String] =
            switch key {
            case "checksum": ["if", "big", "over"]
            case "now": ["if", "big"]
            default: ["if"]
            }
        refuse(members, besides: [key] + allowed, "an item \(key) takes \(allowed.joined(separator: " "))")
        switch key {
        case "skip": return value.integer(1...PacketFormat.limit).map { PacketItem(nil, .skip($0)) }
        case "pad": return value.integer(1...PacketFormat.limit).map { PacketItem(nil, .pad($0)) }
        case "literal": return value.hex().map { PacketItem(nil, .literal($0)) }
        case "now":
            return value.choice(["unix32"]).map { _ in
                PacketItem(nil, .now(NumberType(.unsigned, width: 4, isBigEndian: isBig(members))))
            }
        default: return checksum(value, members)
        }
    }

    private func field(_ name: String, _ value: Node, _ members: Members) -> PacketItem? {
        let bare = name.hasPrefix("_") ? String(name.dropFirst()) : name
        guard Node.isName(bare), !Self.types.contains(name) else {
            value.complain(
                "found the name \(name); allowed: small letters, digits and _, and no name of a type")
            return nil
        }
        guard let type = value.choice(Self.types) else { return nil }
        let look = self.look(members)
        if let number = NumberType(type) {
            if members["bits"] != nil { return flags(name, number, members, look) }
            refuse(
                members,
                besides: [name, "if", "equals", "values", "unknown", "null_if"] + Self.scaling + Self.looks,
                "a number takes \((["if", "equals", "values", "unknown", "null_if"] + Self.scaling + Self.looks).joined(separator: " "))"
            )
            return self.number(number, name, members).map { PacketItem(name, .number($0), look: look) }
        }
        let known: [String] =
            switch type {
            case "text", "bytes", "base64", "hex": ["length", "if"] + Self.looks
            case "list":
                ["of", "count", "if", "equals", "values", "unknown", "null_if"] + Self.scaling + Self.looks
            case "sum": ["of", "if", "big", "minimum", "maximum"] + Self.looks
            default: ["if"] + Self.looks
            }
        refuse(members, besides: [name] + known, "a \(type) takes \(known.joined(separator: " "))")
        let length = members["length"]?.integer(1...PacketFormat.limit)
        if isWritten, !["list", "sum"].contains(type) { checkValue(name, value) }
        switch type {
        case "bool": return PacketItem(name, .boolean, look: look)
        case "text": return PacketItem(name, .text(length: length), look: look)
        case "bytes", "hex": return PacketItem(name, .bytes(.hex, length: length), look: look)
        case "base64": return PacketItem(name, .bytes(.base64, length: length), look: look)
        case "list": return list(name, value, members).map { PacketItem(name, .list($0), look: look) }
        default: return sum(name, value, members).map { PacketItem(name, .sum($0), look: look) }
        }
    }

    // MARK: Shared helpers

    func refuse(_ members: Members, besides known: [String], _ reason: String) {
        for member in members.list where !known.contains(member.key) {
            members[member.key]?.complain("found \(member.key); allowed: \(reason)")
        }
    }

    func isBig(_ members: Members) -> Bool { members["big"]?.flag() ?? isBigEndian }

    func look(_ members: Members) -> FieldLook {
        FieldLook(
            unit: members["unit"]?.text(1...16),
            deviceClass: members["class"]?.choice(FieldLook.deviceClasses),
            category: members["category"]?.choice(FieldLook.Category.self),
            title: members["name"]?.text(1...64),
            icon: members["icon"]?.text(1...64))
    }

    /// Reports a written item for which no command provides a value.
    func checkValue(_ name: String, _ node: Node) {
        guard !fields.contains(where: { $0.name == name }) else { return }
        let known =
            fields.isEmpty
            ? "equals, or an item without a field"
            : "equals, or a field: \(fields.map(\.name).joined(separator: " "))"
        node.complain("found \(name), for which nothing gives a value; allowed: \(known)")
    }
}

extension PacketItem {
    /// Whether the item extends to the end of the packet.
    var takesRest: Bool {
        switch content {
        case .text(length: nil), .bytes(_, length: nil): true
        case .list(let list): list.count == .rest
        default: false
        }
    }
}

extension YAMLTree {
    /// The scalar value of a key in a mapping; nil if there is none.
    func member(_ key: String) -> String? {
        guard case .mapping(let members) = content,
            case .scalar(let text, _)? = members.first(where: { $0.key == key })?.value.content
        else { return nil }
        return text
    }
}
