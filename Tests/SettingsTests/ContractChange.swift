import JSON

/// The incompatible changes between two contracts in the form of `topics --format json`.
enum ContractChange {
    /// Returns what is missing or narrower, one sentence each.
    static func breaches(from old: JSON.Value, to new: JSON.Value) -> [String] {
        each(old, new, "") { section, place in
            each(section.old, section.new, place) { feature, place in
                self.feature(feature.old, feature.new, place)
            }
        }
    }

    private typealias Pair = (old: JSON.Value, new: JSON.Value)

    /// Compares the members of two objects; new members are allowed.
    private static func each(
        _ old: JSON.Value?, _ new: JSON.Value?, _ place: String, _ compare: (Pair, String) -> [String]
    ) -> [String] {
        (old?.object?.members ?? []).flatMap { member -> [String] in
            let path = place.isEmpty ? member.key : "\(place).\(member.key)"
            guard let other = new?[member.key] else { return ["\(path): it is gone"] }
            return compare((member.value, other), path)
        }
    }

    private static func feature(_ old: JSON.Value, _ new: JSON.Value, _ place: String) -> [String] {
        var found = same(["kind", "topic", "type", "unit", "batched"], old, new, place)
        // A client that could read the topic, or that expects no null, would fail.
        found += gained(["private"], old, new, place)
        found += limits(old, new, place)
        found += each(old["fields"], new["fields"], "\(place)") { said($0.old, $0.new, $1) }
        guard let set = old["set"] else { return found }
        guard let other = new["set"] else { return found + ["\(place).set: it is gone"] }
        return found + command(set, other, "\(place).set")
    }

    /// Compares a published key.
    private static func said(_ old: JSON.Value, _ new: JSON.Value, _ place: String) -> [String] {
        same(["type", "unit"], old, new, place) + gained(["nullable"], old, new, place)
            + limits(old, new, place)
            + each(old["fields"], new["fields"], place) { said($0.old, $0.new, $1) }
    }

    private static func command(_ old: JSON.Value, _ new: JSON.Value, _ place: String) -> [String] {
        var found = same(["topic"], old, new, place) + gained(["hazardous"], old, new, place)
        found += each(old["fields"], new["fields"], place) { taken($0.old, $0.new, $1) }
        for field in new["fields"]?.object?.members ?? [] where old["fields"]?[field.key] == nil {
            if field.value["required"] == true {
                found.append("\(place).\(field.key): it is new, and required")
            }
        }
        found += kept("shorthand", old, new, place)
        found += each(old["words"], new["words"], "\(place).words") {
            $0.old == $0.new ? [] : ["\($1): changed"]
        }
        if old["empty"] != nil, new["empty"] != old["empty"] { found.append("\(place).empty: changed") }
        let rules = (new["rules"]?.array ?? []).filter { !(old["rules"]?.array ?? []).contains($0) }
        found += rules.map { "\(place).rules: \($0) is new" }
        for trait in ["confirmed", "stop", "latest", "kept"] {
            let (before, now) = (has(trait, old), has(trait, new))
            let isWorse = trait == "confirmed" ? now && !before : before && !now
            if isWorse { found.append("\(place).traits: \(trait) changed") }
        }
        return found + each(old["answer"], new["answer"], "\(place).answer") { said($0.old, $0.new, $1) }
    }

    private static func has(_ trait: String, _ command: JSON.Value) -> Bool {
        command["traits"]?.array?.contains(.string(trait)) ?? false
    }

    /// Compares a key of a command.
    private static func taken(_ old: JSON.Value, _ new: JSON.Value, _ place: String) -> [String] {
        var found = same(["unit", "default"], old, new, place) + gained(["required"], old, new, place)
        if old["type"] != new["type"], !(old["type"] == "integer" && new["type"] == "number") {
            found.append("\(place).type: \(text(old["type"])) became \(text(new["type"]))")
        }
        if old["nullable"] == true, new["nullable"] != true { found.append("\(place).nullable: it is gone") }
        found += each(old["fields"], new["fields"], place) { taken($0.old, $0.new, $1) }
        return found + limits(old, new, place)
    }

    // MARK: Parts

    private static func text(_ value: JSON.Value?) -> String { value?.description ?? "nothing" }

    private static func same(
        _ keys: [String], _ old: JSON.Value, _ new: JSON.Value, _ place: String
    ) -> [String] {
        keys.filter { old[$0] != new[$0] }.map { key in
            "\(place).\(key): \(text(old[key])) became \(text(new[key]))"
        }
    }

    private static func gained(
        _ keys: [String], _ old: JSON.Value, _ new: JSON.Value, _ place: String
    ) -> [String] {
        keys.filter { old[$0] != true && new[$0] == true }.map { "\(place).\($0): it is new" }
    }

    /// The elements that are missing from a list.
    private static func kept(
        _ key: String, _ old: JSON.Value, _ new: JSON.Value, _ place: String
    ) -> [String] {
        let gone = (old[key]?.array ?? []).filter { !(new[key]?.array ?? []).contains($0) }
        return gone.map { "\(place).\(key): \($0) is gone" }
    }

    /// The limits that are narrower.
    private static func limits(_ old: JSON.Value, _ new: JSON.Value, _ place: String) -> [String] {
        var found = kept("values", old, new, place)
        func narrower(_ key: String, _ before: JSON.Value?, _ now: JSON.Value?, isUpper: Bool) {
            guard let now = now?.double else { return }
            if before?.double.map({ isUpper ? now < $0 : now > $0 }) ?? true {
                found.append("\(place).\(key): \(text(before)) became \(now)")
            }
        }
        narrower("minimum", old["minimum"], new["minimum"], isUpper: false)
        narrower("maximum", old["maximum"], new["maximum"], isUpper: true)
        narrower("exclusive_maximum", old["exclusive_maximum"], new["exclusive_maximum"], isUpper: true)
        let (before, now) = (old["length"]?.array ?? [0], new["length"]?.array ?? [0])
        narrower("length", before.first, now.first, isUpper: false)
        narrower("length", before.dropFirst().first, now.dropFirst().first, isUpper: true)
        if new["pattern"] != nil, old["pattern"] != new["pattern"] {
            found.append("\(place).pattern: changed")
        }
        if let items = old["items"], let others = new["items"] {
            found += same(["type"], items, others, "\(place).items") + limits(items, others, "\(place).items")
        }
        return found
    }
}
