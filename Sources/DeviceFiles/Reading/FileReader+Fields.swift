import DeviceKit
import JSON

extension FileReader {
    private static let fieldTypes = ["boolean", "integer", "number", "text", "choice", "list"]
    private static let fieldKeys = [
        "type", "minimum", "maximum", "values", "default", "required", "unit", "length", "items", "summary",
    ]
    /// The whole numbers that every JSON reader represents exactly.
    static let wholeNumbers = -9_007_199_254_740_992...9_007_199_254_740_992

    mutating func readSettings(_ node: Node) {
        for (name, node) in node.named("names to fields", limit: 64) ?? [] {
            checkName(name, node)
            guard let members = node.members(Self.fieldKeys + ["secret"]) else { continue }
            let isSecret = members["secret"]?.flag() ?? false
            if var field = field(name, node, members) {
                (field.isRequired, field.isSecret) = (false, isSecret)
                file.settings.append(DeviceSetting(field, isSecret: isSecret))
            }
        }
    }

    func checkName(_ name: String, _ node: Node) {
        guard !Node.isName(name) else { return }
        node.complain(
            "found the name \(name); allowed: a lowercase letter, then lowercase letters, digits and _")
    }

    func commandFields(_ node: Node) -> [Field] {
        var fields: [Field] = []
        for (name, node) in node.named("names to fields", limit: 64) ?? [] {
            checkName(name, node)
            if ["id", "expires", "confirm", "echo", "hold"].contains(name) {
                node.complain("found the name \(name), which every command has; allowed: another name")
            }
            guard let members = node.members(Self.fieldKeys) else { continue }
            if let field = field(name, node, members) { fields.append(field) }
        }
        return fields
    }

    private func field(_ name: String, _ node: Node, _ members: Members) -> Field? {
        guard
            let word = members.required("type", "one of \(Self.fieldTypes.joined(separator: " "))")?.choice(
                Self.fieldTypes),
            let type = fieldType(word, members)
        else { return nil }
        let value = members["default"].flatMap { Self.fieldValue($0, type) }
        // A field without a default is required, unless the file declares that it is not.
        let isRequired = members["required"]?.flag() ?? (members["default"] == nil)
        if isRequired, members["default"] != nil {
            node.complain("found required and default; allowed: one of the two")
        }
        let summary = members["summary"]?.text(1...256) ?? "\(FieldLook.title(of: name))."
        return Field(
            name, type, unit: members["unit"]?.text(1...16), default: value, required: isRequired, summary)
    }

    private func fieldType(_ word: String, _ members: Members) -> FieldType? {
        let special: [String: [String]] = [
            "integer": ["minimum", "maximum", "unit"], "number": ["minimum", "maximum", "unit"],
            "text": ["length"],
            "choice": ["values"], "list": ["items", "length", "unit"], "boolean": [],
        ]
        let known = special[word] ?? []
        let others = ["minimum", "maximum", "values", "length", "items", "unit"].filter {
            !known.contains($0)
        }
        members.refuse(others, "the type \(word) has no such property")
        switch word {
        case "boolean": return .boolean
        case "integer":
            let low = members["minimum"]?.integer(Self.wholeNumbers) ?? Self.wholeNumbers.lowerBound
            let high = members["maximum"]?.integer(Self.wholeNumbers) ?? Self.wholeNumbers.upperBound
            guard low <= high else {
                members["maximum"]?.complain("found \(high); allowed: at least the minimum, \(low)")
                return nil
            }
            return .integer(low...high)
        case "number":
            let low = members["minimum"]?.decimal() ?? -1e15
            let high = members["maximum"]?.decimal() ?? 1e15
            guard low <= high else {
                members["maximum"]?.complain("found \(high); allowed: at least the minimum, \(low)")
                return nil
            }
            return .number(low.double...high.double)
        case "text": return length(members, 0...PacketFormat.limit).map { .text($0) }
        case "choice":
            guard let node = members.required("values", "a list of words"),
                let nodes = node.list(of: "words", limit: 256)
            else { return nil }
            let words = nodes.compactMap { $0.text(1...64) }
            if Set(words).count < words.count {
                node.complain("found a repeated word; allowed: each word once")
            }
            if words.isEmpty { node.complain("found no word; allowed: at least one") }
            return words.isEmpty ? nil : .choice(words)
        default:
            guard let node = members.required("items", "a mapping with type"),
                let items = node.members(
                    Self.fieldKeys.filter { !["default", "required", "summary", "items"].contains($0) }),
                let word = items.required("type", "one of boolean integer number text choice")?
                    .choice(Self.fieldTypes.filter { $0 != "list" }),
                let type = fieldType(word, items)
            else { return nil }
            return length(members, 0...PacketFormat.limit).map { .list(type, count: $0) }
        }
    }

    /// Returns the allowed lengths: one length, or the minimum and the maximum.
    private func length(_ members: Members, _ usual: ClosedRange<Int>) -> ClosedRange<Int>? {
        guard let node = members["length"] else { return usual }
        let ends = node.oneOrMore(limit: 2).compactMap { $0.integer(usual) }
        guard let low = ends.first, let high = ends.last, low <= high else {
            if !ends.isEmpty {
                node.complain("found the shortest length above the longest; allowed: [shortest, longest]")
            }
            return nil
        }
        return low...high
    }
}
