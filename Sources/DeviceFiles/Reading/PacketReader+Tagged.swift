import YAML

// Reads the items that version 2 of the file format added: lengths that the packet contains, tags, dates and counters
// of writes.
extension PacketReader {
    /// Reads the length of a text or of bytes; returns nil after a problem was reported.
    func length(_ members: Members) -> FieldLength? {
        guard let node = members["length"] else { return .remainder }
        guard isVersion2(node), !isWritten, let name = node.scalar, Scalar.integer(name) == nil else {
            return node.integer(1...PacketFormat.limit).map { .fixed($0) }
        }
        var known: [String] = []
        for (index, item) in items.enumerated() {
            if item.isWholeNumber, let found = item.name {
                if found == name { return .item(index) }
                known.append(found)
            }
            guard case .flags(_, let bits) = item.content else { continue }
            if let bit = bits.first(where: { $0.name == name }) { return .item(index, mask: bit.mask) }
            known += bits.map(\.name)
        }
        node.mismatch(allowed: (["1...\(PacketFormat.limit)"] + known).joined(separator: " "))
        return nil
    }

    /// Reads the tags and the values that follow them; returns nil after a problem was reported.
    func tagged(_ name: String, _ node: Node, _ members: Members) -> TaggedField? {
        guard !isWritten, !isTagged, name.hasPrefix("_") else {
            node.complain(
                "found tagged; allowed: in a packet that is read, outside of other tags, with a name that starts with _"
            )
            return nil
        }
        func type(_ key: String) -> NumberType? {
            members[key]?.choice(["u8", "u16"]).map {
                NumberType(.unsigned, width: $0 == "u8" ? 1 : 2, isBigEndian: isBig(members))
            }
        }
        let (tag, length) = (type("tag") ?? NumberType(.unsigned, width: 1), type("length"))
        let unknown = members["unknown"]?.choice(TaggedField.Unknown.self) ?? .end
        if unknown == .skip, length == nil {
            members["unknown"]?.complain("found skip without length; allowed: with the length after each tag")
        }
        guard let of = members.required("of", "a mapping of tags to items") else { return nil }
        guard case .mapping(let list) = of.tree.content, (1...160).contains(list.count) else {
            of.mismatch(allowed: "a mapping of 1...160 tags to items")
            return nil
        }
        var formats: [(tag: UInt64, format: PacketFormat)] = []
        for member in list {
            let node = Node(member.value, "\(of.path).\(member.key)", at: member.place, of.findings)
            guard let number = Scalar.integer(member.key), tag.range.contains(number) else {
                node.complain("found \(member.key); allowed: a tag \(tag.range)")
                continue
            }
            if formats.contains(where: { $0.tag == UInt64(number) }) {
                node.complain("found \(number) again; allowed: each tag once")
            }
            var reader = PacketReader(.reading)
            reader.isBigEndian = isBig(members)
            reader.isTagged = true
            guard let format = reader.packet(node, beside: Members(node, [])) else { continue }
            if format.items.count > 8 {
                node.complain("found \(format.items.count) items; allowed: at most 8")
            }
            if length == nil, format.items.contains(where: \.takesRest) {
                node.complain(
                    "found an item without a length; allowed: with a length, or with the length after each tag"
                )
            }
            formats.append((UInt64(number), format))
        }
        return TaggedField(tag: tag, length: length, unknown: unknown, formats)
    }

    /// Reads a date; returns nil after a problem was reported.
    func date(_ type: String, _ node: Node, _ members: Members) -> DateField? {
        guard !isWritten else {
            node.complain("found \(type); allowed: now: \(type), the present time")
            return nil
        }
        return DateField.Form(rawValue: type).map {
            DateField($0, zone: members["zone"]?.choice(ClockZone.self), isBigEndian: isBig(members))
        }
    }

    /// Reads a counter of writes; returns nil after a problem was reported.
    func counter(_ node: Node, _ type: NumberType) -> NumberField.Counter? {
        guard countsWrites, type.kind == .unsigned else {
            node.complain("found counter; allowed: u8 u16 u24 u32 u64 in a write of setup or of a command")
            return nil
        }
        return node.raw(type.range).map {
            NumberField.Counter(start: UInt64($0), place: node.findings.makeCounter())
        }
    }
}
