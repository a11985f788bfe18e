import DeviceKit

// Reads packets that features share, and the selection of a packet's fields that a feature publishes.
extension FileReader {
    mutating func readPackets(_ node: Node) {
        for (name, node) in node.named("names to packets", limit: 16) ?? [] {
            checkName(name, node)
            var reader = PacketReader(.reading)
            packets[name] = reader.packet(node, beside: Members(node, []))
        }
    }

    /// Returns the packet of a report, which is a list of items or the name of a shared packet; nil after a problem was
    /// reported.
    func packet(_ node: Node, beside members: Members) -> PacketFormat? {
        guard findings.version > 1, node.scalar != nil else {
            var reader = PacketReader(.reading)
            return reader.packet(node, beside: members)
        }
        members.refuse(["big", "exact"], "the packet is shared")
        return node.choice(packets.keys.sorted()).flatMap { packets[$0] }
    }

    /// Returns the packet, reduced to the published fields that the feature selects with `take`.
    func chosen(_ members: Members, from packet: PacketFormat) -> PacketFormat {
        let names = packet.everyItem.flatMap(\.publishedNames)
        let taken = members["take"].map { node in
            Set((node.list(of: "fields of the packet", limit: 256) ?? []).compactMap { $0.choice(names) })
        }
        return PacketFormat(
            packet.items, isExact: packet.isExact, taken: taken, sequence: members["new_by"]?.scalar,
            keepsNumbers: members["derive"] != nil)
    }

    /// Returns the size, in bits, of the sequence number (`new_by`) that distinguishes a new packet from a repetition.
    func sequenceBits(_ members: Members, _ packet: PacketFormat) -> Int? {
        guard let node = members["new_by"] else { return nil }
        let counters = packet.everyItem.filter { $0.counterBits != nil }
        guard let name = node.choice(counters.compactMap(\.name)) else { return nil }
        return counters.first { $0.name == name }?.counterBits
    }

    func rates(_ members: Members, _ packet: PacketFormat) -> [RateField] {
        guard let node = members["derive"] else { return [] }
        return (node.list(of: "mappings with field, rate, per and ticks", limit: 8) ?? []).compactMap {
            rate($0, packet)
        }
    }

    private func rate(_ node: Node, _ packet: PacketFormat) -> RateField? {
        let keys = ["field", "rate", "per", "ticks", "scale", "round", "maximum", "zero_after_ms"]
        guard let members = node.members(keys + PacketReader.looks),
            let name = members.required("field", "a name")?.name("a field's name"),
            let counted = counter(members, "rate", packet), let time = counter(members, "per", packet),
            let ticks = members.required("ticks", "the steps of per in a second")?.decimal()
        else { return nil }
        let scale = members["scale"]?.decimal() ?? 1
        for (key, value) in [("ticks", ticks), ("scale", scale)] where value <= 0 {
            members[key]?.mismatch(allowed: "a number above 0")
        }
        return RateField(
            name: name, counted: counted, time: time, ticks: ticks, scale: scale,
            places: members["round"]?.integer(0...9) ?? 0, maximum: members["maximum"]?.decimal(),
            zeroAfter: members["zero_after_ms"]?.milliseconds(1...600_000) ?? .seconds(4),
            look: PacketReader(.reading).look(members))
    }

    private func counter(_ members: Members, _ key: String, _ packet: PacketFormat) -> RateField.Counter? {
        let counters = packet.items.filter { $0.counterBits != nil }.compactMap(\.name)
        guard let name = members.required(key, "an item: u8 u16 u24 u32 u64")?.choice(counters),
            let index = packet.items.firstIndex(where: { $0.name == name && $0.counterBits != nil }),
            let bits = packet.items[index].counterBits
        else { return nil }
        return RateField.Counter(item: index, bits: bits)
    }
}

extension PacketFormat {
    /// All items; a tagged item is replaced by the items of its tags.
    fileprivate var everyItem: [PacketItem] {
        items.flatMap { item in
            if case .tagged(let field) = item.content { field.items } else { [item] }
        }
    }
}

extension PacketItem {
    /// The size, in bits, of a number that can be a counter; nil for any other item.
    fileprivate var counterBits: Int? {
        guard case .number(let field) = content, field.type.kind == .unsigned else { return nil }
        return field.type.width * 8
    }
}

extension RateField {
    /// The field under which the rate is published.
    var reportField: ReportField {
        let summary = "\(look.title ?? FieldLook.title(of: name))."
        let greatest = maximum?.double ?? .greatestFiniteMagnitude
        return ReportField(
            Field(name, .number(0...greatest), unit: look.unit, nullable: true, summary), look: look)
    }
}
