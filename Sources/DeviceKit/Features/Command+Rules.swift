public import JSON

extension Command.Rule {
    /// Whether the rule applies only if a certain key is given or has a certain value.
    var isConditional: Bool {
        switch self {
        case .atMostOne, .exactlyOne, .atLeastOne: false
        case .requires, .excludes, .anyIs, .given, .when, .unless: true
        }
    }

    /// Checks a payload.
    ///
    /// - Parameters:
    ///   - object: The members as they were given.
    ///   - values: The checked members, including defaults.
    ///   - condition: The condition under which the rule applies, in words; empty if it always applies.
    /// - Throws: ``CommandError`` that names the key and the condition.
    func check(
        _ object: JSON.Object, _ values: JSON.Object, _ fields: [Field], _ condition: String = ""
    ) throws(CommandError) {
        switch self {
        case .atMostOne(let keys): try count(keys, 0...1, object, condition)
        case .exactlyOne(let keys): try count(keys, 1...1, object, condition)
        case .atLeastOne(let keys): try count(keys, 1...keys.count, object, condition)
        case .requires(let keys):
            guard let missing = keys.first(where: { object[$0] == nil }) else { return }
            let allowed = fields.first { $0.name == missing }.map { "; \($0.type.allowed)" } ?? ""
            throw CommandError(.missingField, "\(missing): missing\(condition)\(allowed)")
        case .excludes(let keys):
            guard let given = keys.first(where: { object[$0] != nil }) else { return }
            throw CommandError(.invalidValue, "\(given): not allowed\(condition)")
        case .anyIs(let keys, let value):
            guard !keys.contains(where: { values[$0] == value }) else { return }
            if keys.count == 1 {
                throw CommandError(.missingField, "\(keys[0]): needs \"\(keys[0])\":\(value)\(condition)")
            }
            throw CommandError(
                .invalidValue, "at least one of \(keys.joined(separator: " ")) must be \(value)\(condition)")
        case .given(let key, let rule):
            guard object[key] != nil else { return }
            try rule.check(object, values, fields, "\(condition) when \(key) is given")
        case .when(let key, let words, let rule):
            guard let value = values[key], words.contains(value) else { return }
            try rule.check(object, values, fields, "\(condition) with \(key) \(Self.text(value))")
        case .unless(let key, let words, let rule):
            guard let value = values[key], !words.contains(value) else { return }
            try rule.check(
                object, values, fields,
                value == .null ? condition : "\(condition) with \(key) \(Self.text(value))")
        }
    }

    private func count(
        _ keys: [String], _ allowed: ClosedRange<Int>, _ object: JSON.Object, _ condition: String
    ) throws(CommandError) {
        let given = keys.filter { object[$0] != nil }
        guard !allowed.contains(given.count) else { return }
        throw CommandError(
            given.isEmpty ? .missingField : .invalidValue,
            "\(sentence)\(condition)\(given.isEmpty ? "" : ", got \(given.joined(separator: " and "))")")
    }

    private static func text(_ value: JSON.Value) -> String { value.string ?? value.description }

    private static func list(_ values: [JSON.Value]) -> String {
        values.map(text).joined(separator: ", ")
    }

    /// The rule as a sentence for users.
    public var sentence: String {
        switch self {
        case .atMostOne(let names): "at most one of \(names.joined(separator: " "))"
        case .exactlyOne(let names): "exactly one of \(names.joined(separator: " "))"
        case .atLeastOne(let names): "at least one of \(names.joined(separator: " "))"
        case .requires(let names): names.joined(separator: " and ")
        case .excludes(let names): names.map { "no \($0)" }.joined(separator: ", ")
        case .anyIs(let names, let value): "\(names.joined(separator: " or ")) \(value)"
        case .given(let key, let rule): "with \(key) \(rule.sentence)"
        case .when(let key, let values, let rule): "with \(key) \(Self.list(values)): \(rule.sentence)"
        case .unless(let key, let values, let rule):
            "with \(key) other than \(Self.list(values)): \(rule.sentence)"
        }
    }

    /// The rule for programs: one requirement, such as `{"exactly_one":["a","b"]}` or `{"requires":["b"]}`, and the
    /// conditions under which it applies, all of which must be met: `given` (keys), `when` and `unless` (values by
    /// key).
    public var object: JSON.Object {
        func names(_ keys: [String]) -> JSON.Value { .array(keys.map { .string($0) }) }
        switch self {
        case .atMostOne(let keys): return ["at_most_one": names(keys)]
        case .exactlyOne(let keys): return ["exactly_one": names(keys)]
        case .atLeastOne(let keys): return ["at_least_one": names(keys)]
        case .requires(let keys): return ["requires": names(keys)]
        case .excludes(let keys): return ["excludes": names(keys)]
        case .anyIs(let keys, let value): return ["any_is": ["keys": names(keys), "value": value]]
        case .given(let key, let rule):
            return rule.object(under: "given") { .array(($0?.array ?? []) + [.string(key)]) }
        case .when(let key, let values, let rule):
            return rule.object(under: "when") { Self.adding(key, values, to: $0) }
        case .unless(let key, let values, let rule):
            return rule.object(under: "unless") { Self.adding(key, values, to: $0) }
        }
    }

    private func object(under name: String, _ change: (JSON.Value?) -> JSON.Value) -> JSON.Object {
        var object = object
        object[name] = change(object[name])
        return object
    }

    private static func adding(_ key: String, _ values: [JSON.Value], to old: JSON.Value?) -> JSON.Value {
        var object = old?.object ?? [:]
        object[key] = .array(values)
        return .object(object)
    }
}
