import DeviceKit
import JSON

/// Describes the payloads of a command as JSON Schema: the object, bare values, words, and an empty payload.
struct CommandSchema {
    private let command: Command
    private let fields: FieldSchema
    private let references: SchemaReferences

    init(_ command: Command, _ references: SchemaReferences) {
        self.command = command
        self.references = references
        fields = FieldSchema(.taken, references, words: command.truthWords)
    }

    /// The schema of all forms of the payload.
    var schema: JSON.Object {
        var forms = [object]
        var words: [JSON.Value] = []
        for shorthand in command.shorthands {
            switch shorthand {
            case .field(let name), .completed(let name, _):
                if let bare = bare(name) { forms.append(bare) }
            case .word(let word, _): words.append(.string(word))
            }
        }
        if !words.isEmpty {
            forms.append(["title": "a word", "type": "string", "enum": .array(words)])
        }
        if command.empty != nil { forms.append(["title": "an empty payload", "const": ""]) }
        return forms.count == 1 ? forms[0] : ["anyOf": .array(forms.map { .object($0) })]
    }

    // MARK: The object

    private var object: JSON.Object {
        var required = command.fields.filter(\.isRequired).map(\.name)
        let isConfirmed = command.traits.contains(.confirmed)
        if isConfirmed { required.append("confirm") }
        var schema = fields.object(command.fields, required: required)
        if case .object(var properties) = schema["properties"] {
            if isConfirmed, case .object(var confirm) = properties["confirm"] {
                confirm["anyOf"] = nil
                for member in fields.matching([true]).members { confirm[member.key] = member.value }
                confirm["default"] = nil
                properties["confirm"] = .object(confirm)
            }
            properties["id"] = ["description": "Returned in the answer."]
            properties["expires"] = [
                "description": "The time after which the command is not carried out.",
                "allOf": [.object(references.time)],
            ]
            schema["properties"] = .object(properties)
        }
        let rules = command.rules.map { JSON.Value.object(self.schema($0)) }
        if !rules.isEmpty { schema["allOf"] = .array(rules) }
        return schema
    }

    private func schema(_ rule: Command.Rule) -> JSON.Object {
        func given(_ keys: [String]) -> JSON.Value { ["required": .array(keys.map { .string($0) })] }
        switch rule {
        case .atMostOne(let keys):
            let pairs = keys.indices.flatMap { first in
                keys.indices.filter { $0 > first }.map { given([keys[first], keys[$0]]) }
            }
            return ["not": ["anyOf": .array(pairs)]]
        case .exactlyOne(let keys): return ["oneOf": .array(keys.map { given([$0]) })]
        case .atLeastOne(let keys): return ["anyOf": .array(keys.map { given([$0]) })]
        case .requires(let keys): return ["required": .array(keys.map { .string($0) })]
        case .excludes(let keys): return ["not": ["anyOf": .array(keys.map { given([$0]) })]]
        case .anyIs(let keys, let value):
            return ["anyOf": .array(keys.map { .object(has($0, [value])) })]
        case .given(let key, let rule):
            return ["if": given([key]), "then": .object(schema(rule))]
        case .when(let key, let values, let rule):
            return ["if": .object(has(key, values)), "then": .object(schema(rule))]
        case .unless(let key, let values, let rule):
            return [
                "if": .object(has(key, values, isNot: true)), "then": .object(schema(rule)),
            ]
        }
    }

    /// Returns a schema that requires the key to have one of the values, or, if `isNot` is true, none of them. The key
    /// may be missing if its default satisfies the schema.
    private func has(
        _ key: String, _ values: [JSON.Value], isNot: Bool = false
    ) -> JSON.Object {
        let words = fields.matching(values)
        var schema: JSON.Object = [
            "properties": .object([key: isNot ? ["not": .object(words)] : .object(words)])
        ]
        if !isMet(key, values, isNot: isNot) { schema["required"] = [.string(key)] }
        return schema
    }

    /// Whether the default of a key, which applies if the key is missing, satisfies the condition.
    private func isMet(_ key: String, _ values: [JSON.Value], isNot: Bool) -> Bool {
        guard let value = field(key)?.default else { return false }
        return values.contains(value) != isNot
    }

    private func field(_ name: String) -> Field? { command.fields.first { $0.name == name } }

    // MARK: A bare value

    /// Returns the schema of the bare values of a key that may replace the object; nil if other keys are required.
    private func bare(_ name: String) -> JSON.Object? {
        guard let field = field(name), !command.traits.contains(.confirmed),
            command.fields.allSatisfy({ !$0.isRequired || $0.name == name })
        else { return nil }
        var allowed = fields.schema(field)
        allowed["default"] = nil
        var conditions: [JSON.Value] = []
        for rule in command.rules {
            switch breaks(rule, name) {
            case .never: break
            case .always: return nil
            case .with(let values): conditions.append(["not": .object(fields.matching(values))])
            case .without(let values): conditions.append(.object(fields.matching(values)))
            }
        }
        // An empty payload does not mean the empty text: ``Command/empty`` defines its meaning. A bare text therefore
        // has at least one character.
        switch field.type {
        case .text(let range), .form(_, let range):
            if range.lowerBound == 0 { conditions.append(["minLength": 1]) }
        default: break
        }
        if !conditions.isEmpty { allowed["allOf"] = .array((allowed["allOf"]?.array ?? []) + conditions) }
        allowed["title"] = .string("a bare \(name)")
        return allowed
    }

    /// Whether an object with only one key violates a rule of the command: never, always, with these values of the key,
    /// or with all values except these.
    private enum Breach {
        case never, always
        case with([JSON.Value]), without([JSON.Value])
    }

    private func breaks(_ rule: Command.Rule, _ name: String) -> Breach {
        switch rule {
        case .atMostOne: return .never
        case .exactlyOne(let keys), .atLeastOne(let keys): return keys.contains(name) ? .never : .always
        case .requires(let keys): return keys == [name] ? .never : .always
        case .excludes(let keys): return keys.contains(name) ? .always : .never
        case .anyIs(let keys, let value):
            if keys.contains(where: { $0 != name && field($0)?.default == value }) { return .never }
            return keys.contains(name) ? .without([value]) : .always
        case .given(let key, let rule): return key == name ? breaks(rule, name) : .never
        case .when(let key, let values, let rule):
            if key == name {
                if case .always = breaks(rule, name) { return .with(values) }
                return .never
            }
            return isMet(key, values, isNot: false) ? breaks(rule, name) : .never
        case .unless(let key, let values, let rule):
            if key == name {
                if case .always = breaks(rule, name) { return .without(values) }
                return .never
            }
            return isMet(key, values, isNot: true) ? breaks(rule, name) : .never
        }
    }
}
