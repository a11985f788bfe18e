import DeviceKit
import JSON
import YAML

/// Reads the declaration of a packet in a device file: a list of items.
struct PacketReader {
    enum Purpose {
        case reading
        /// The packet is written with these fields. In a command, fields can decide whether an item is present.
        case writing([Field], isCommand: Bool)
    }

    /// The keys in an item that add details to its type, such as a scale or a condition.
    static let qualifiers = [
        "big", "scale", "offset", "round", "equals", "values", "unknown", "null_if", "if", "unit", "minimum",
        "maximum", "class", "category", "name", "icon", "length", "of", "count", "bits", "over", "at",
    ]
    /// The qualifiers that require version 2 of the file format.
    static let newQualifiers = ["counter", "tag", "times", "type", "zone"]
    static let nameless = ["skip", "literal", "pad", "now", "checksum"]
    /// The types that are not numbers.
    static let otherTypes = ["bool", "text", "bytes", "base64", "hex", "list", "sum"]
    static let types = NumberType.named.map(\.name) + otherTypes
    /// The types that require version 2 of the file format.
    static let newTypes = DateField.Form.allCases.map(\.rawValue) + ["tagged"]
    /// An example of the long form of an item, which is necessary if a field has the same name as a qualifier or a
    /// type.
    static let longForm = "{ field: offset, type: u8 }"
    static let looks = ["unit", "class", "category", "name", "icon"]
    static let scaling = ["big", "scale", "offset", "round", "minimum", "maximum"]

    let purpose: Purpose
    /// Whether numbers of the packet are big-endian by default.
    var isBigEndian = false
    /// Whether the items are those that follow a tag.
    var isTagged = false
    /// Whether the packet is the answer to a write, so that a number can be compared with a written byte.
    var isAnswer = false
    /// Whether the packet can contain a counter of writes.
    var countsWrites = false
    private(set) var items: [PacketItem] = []
    /// The names of the items that contain the length of a list.
    private(set) var counts: Set<String> = []

    init(_ purpose: Purpose) { self.purpose = purpose }

    var isWritten: Bool { if case .writing = purpose { true } else { false } }
    var fields: [Field] { if case .writing(let fields, _) = purpose { fields } else { [] } }

    /// Reads a packet. The keys `big` and `exact` are in `members`. The items of `after` are appended to the items of
    /// `node`.
    mutating func packet(_ node: Node, beside members: Members, after: Node? = nil) -> PacketFormat? {
        isBigEndian = members["big"]?.flag() ?? isBigEndian
        let isExact = members["exact"]?.flag() ?? false
        guard var nodes = node.list(of: "items, such as { level: u8 }", limit: 64) else { return nil }
        if let after {
            guard let more = after.list(of: "items, such as { level: u8 }", limit: 64) else { return nil }
            nodes += more
        }
        if nodes.isEmpty { node.complain("found an empty list; allowed: at least one item") }
        counts = Set(nodes.compactMap { $0.tree.member("count") })
        let before = node.findings.count
        for node in nodes { if let item = item(node) { items.append(item) } }
        guard node.findings.count == before else { return nil }
        check(node, nodes)
        return PacketFormat(items, isExact: isExact)
    }

    /// Checks the rules that concern several items of the packet.
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
                    "found it after an item that takes the remaining bytes; allowed: items of a fixed length without if"
                )
            }
            guard let name = item.name else { continue }
            let twins = items.indices.filter { items[$0].name == name }
            if twins.count > 1, twins.contains(where: { items[$0].condition == nil }), twins.last == index {
                nodes[index].complain("found the field \(name) twice; allowed: once, or each time with if")
            }
        }
        let names = Set(items.compactMap(\.name))
        for (index, item) in items.enumerated() {
            guard case .flags(_, let bits) = item.content else { continue }
            for bit in bits where names.contains(bit.name) || bits.count(where: { $0.name == bit.name }) > 1 {
                nodes[index].complain("found the field \(bit.name) twice; allowed: each name once")
            }
        }
    }

    // MARK: One item

    private mutating func item(_ node: Node) -> PacketItem? {
        guard case .mapping(let list) = node.tree.content else {
            node.mismatch(allowed: "an item such as { level: u8 }")
            return nil
        }
        guard let members = node.members([], anyOther: true),
            let (key, name, value) = place(of: list, members, node)
        else { return nil }
        if let member = list.first(where: { $0.key == key }) { node.warnOfKey(member) }
        // In version 2, a key whose value is a type is the name of a field, even if the key is also a word of the
        // format.
        let isClock = key == "now" && value.scalar.flatMap(ClockField.Part.init) != nil
        let isField = name != key || isVersion2(node) && isType(value) && !isClock
        let others = isField ? Members(node, list.filter { $0.key != key }) : members
        let item =
            Self.nameless.contains(key) && !isField
            ? nameless(key, value, members) : field(name, key, value, others)
        guard var item else { return nil }
        item.line = node.place.line
        if let node = others["times"] {
            if !isTagged { node.complain("found times; allowed: on an item of a tag") }
            item.times = node.integer(2...8) ?? 1
        }
        if let condition = others["if"] { item.condition = self.condition(condition) }
        return item
    }

    /// Returns the only key of an item that is not a qualifier, the name of the field, and the value of the key; nil
    /// after a problem was reported.
    private func place(
        of list: [YAMLTree.Member], _ members: Members, _ node: Node
    ) -> (key: String, name: String, value: Node)? {
        let isNew = isVersion2(node)
        if isNew, let field = members["field"], let type = members["type"] {
            return field.text(1...64).map { ("type", $0, type) }
        }
        let qualifiers = Self.qualifiers + (isNew ? Self.newQualifiers : [])
        var keys = list.map(\.key).filter { !qualifiers.contains($0) }
        if isNew, keys.isEmpty { keys = list.map(\.key).filter { members[$0].map(isType) ?? false } }
        guard keys.count == 1 else {
            let longForm = isNew ? ", or \(Self.longForm)" : ""
            guard let extra = keys.last else {
                node.complain(
                    "found no field; allowed: one key that is no qualifier, such as level: u8\(longForm)")
                return nil
            }
            let near = Nearest.word(to: extra, among: qualifiers + Self.nameless)
            node.complain(
                "found the fields \(keys.joined(separator: " and ")); \(near.map { "did you mean \($0)? Allowed" } ?? "allowed"): "
                    + "one field, and \(qualifiers.joined(separator: " "))\(longForm)")
            return nil
        }
        return members[keys[0]].map { (keys[0], keys[0], $0) }
    }

    func isVersion2(_ node: Node) -> Bool { node.findings.version > 1 }

    private func isType(_ node: Node) -> Bool {
        node.scalar.map { (Self.types + Self.newTypes).contains($0) } ?? false
    }

    private func nameless(_ key: String, _ value: Node, _ members: Members) -> PacketItem? {
        let allowed: [String] =
            switch key {
            case "checksum": ["if", "big", "over"]
            case "now": ["if", "big"] + (isVersion2(value) ? ["zone"] : [])
            default: ["if"]
            }
        refuse(members, besides: [key] + allowed, "an item \(key) takes \(allowed.joined(separator: " "))")
        switch key {
        case "skip": return value.integer(1...PacketFormat.limit).map { PacketItem(nil, .skip($0)) }
        case "pad": return value.integer(1...PacketFormat.limit).map { PacketItem(nil, .pad($0)) }
        case "literal": return value.hex().map { PacketItem(nil, .literal($0)) }
        case "now":
            let parts = isVersion2(value) ? ClockField.Part.allCases : [.unix32]
            return value.choice(parts.map(\.rawValue)).flatMap(ClockField.Part.init).map { part in
                let zone = members["zone"]?.choice(ClockZone.self) ?? .utc
                return PacketItem(nil, .now(ClockField(part, zone: zone, isBigEndian: isBig(members))))
            }
        default: return checksum(value, members)
        }
    }

    /// - Parameter key: The key whose value is the type: the name of the field, or `type` in the long form.
    private func field(_ name: String, _ key: String, _ value: Node, _ members: Members) -> PacketItem? {
        let bare = name.hasPrefix("_") ? String(name.dropFirst()) : name
        let isNew = isVersion2(value)
        guard Node.isName(bare), isNew || !Self.types.contains(name) else {
            value.complain(
                "found the name \(name); allowed: lowercase letters, digits and _, and no name of a type")
            return nil
        }
        if !isNew, let word = value.scalar, Self.newTypes.contains(word) {
            value.complain(Findings.needsVersion2(word))
            return nil
        }
        guard let type = value.choice(Self.types + (isNew ? Self.newTypes : [])) else { return nil }
        // The keys that are always allowed: the name and the type of the field, and `times`.
        let always = [key] + (key == "type" ? ["field"] : []) + (isNew ? ["times"] : [])
        let look = self.look(members)
        if let number = NumberType(type) {
            if members["bits"] != nil, key != "bits" { return flags(name, number, members, look, always) }
            let known =
                ["if", "equals", "values", "unknown", "null_if"] + (isNew ? ["counter"] : [])
                + Self.scaling + Self.looks
            refuse(members, besides: always + known, "a number takes \(known.joined(separator: " "))")
            if isWritten, members["equals"] == nil, members["counter"] == nil, !counts.contains(name) {
                // If the item contains the length of a later list, its value is derived from the list.
                checkValue(name, value)
            }
            return self.number(number, members).map { PacketItem(name, .number($0), look: look) }
        }
        let known: [String] =
            switch type {
            case "text", "bytes", "base64", "hex": ["length", "if"] + Self.looks
            case "list":
                ["of", "count", "if", "equals", "values", "unknown", "null_if"] + Self.scaling + Self.looks
            case "sum": ["of", "if", "big", "minimum", "maximum"] + Self.looks
            case "tagged": ["tag", "of", "length", "unknown", "big", "if"]
            case "date_time", "unix32": ["zone", "big", "if"] + Self.looks
            default: ["if"] + Self.looks
            }
        refuse(members, besides: always + known, "a \(type) takes \(known.joined(separator: " "))")
        if isWritten, !(["list", "sum"] + Self.newTypes).contains(type) { checkValue(name, value) }
        switch type {
        case "bool": return PacketItem(name, .boolean, look: look)
        case "text": return length(members).map { PacketItem(name, .text(length: $0), look: look) }
        case "bytes", "hex":
            return length(members).map { PacketItem(name, .bytes(.hex, length: $0), look: look) }
        case "base64":
            return length(members).map { PacketItem(name, .bytes(.base64, length: $0), look: look) }
        case "tagged": return tagged(name, value, members).map { PacketItem(name, .tagged($0)) }
        case "date_time", "unix32":
            return date(type, value, members).map { PacketItem(name, .date($0), look: look) }
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

    /// Reports a problem if the command has no field with the name of an item in a written packet.
    func checkValue(_ name: String, _ node: Node) {
        guard !fields.contains(where: { $0.name == name }) else { return }
        let known =
            fields.isEmpty
            ? "equals, or an item without a field"
            : "equals, or a field: \(fields.map(\.name).joined(separator: " "))"
        node.complain("found \(name), which has no value source; allowed: \(known)")
    }
}

extension PacketItem {
    /// Whether the item extends to the end of the packet.
    var takesRest: Bool {
        switch content {
        case .text(.remainder), .bytes(_, length: .remainder), .tagged: true
        case .list(let list): list.count == .rest
        default: false
        }
    }
}

extension YAMLTree {
    /// The members of a mapping; empty for other values.
    var members: [Member] { if case .mapping(let members) = content { members } else { [] } }

    /// Returns the scalar value of a key in a mapping; nil if there is none.
    func member(_ key: String) -> String? {
        guard case .mapping(let members) = content,
            case .scalar(let text, _)? = members.first(where: { $0.key == key })?.value.content
        else { return nil }
        return text
    }
}
