import DeviceKit
import JSON

/// Describes declared types as JSON Schema, with keywords that draft 7 and draft 2020-12 share.
struct FieldSchema {
    /// The direction of a value: `said` for values that the bridge publishes, `taken` for values that it receives.
    enum Way { case said, taken }

    /// The references to shared schemas, such as the schema of time stamps.
    var references: SchemaReferences
    let way: Way
    /// The words that are read as Boolean values.
    let words: TruthWords

    init(_ way: Way, _ references: SchemaReferences, words: TruthWords = TruthWords()) {
        self.way = way
        self.references = references
        self.words = words
    }

    /// Returns the schema of a field, with its summary, its unit and its default.
    func schema(_ field: Field) -> JSON.Object {
        var schema = schema(field.type)
        if field.isNullable { schema = Self.nullable(schema) }
        // Draft 7 ignores keywords next to `$ref`.
        if schema["$ref"] != nil { schema = ["allOf": [.object(schema)]] }
        schema["description"] = .string(field.summary)
        if let value = field.default { schema["default"] = value }
        if let unit = field.unit { schema["x-unit"] = .string(unit) }
        return schema
    }

    /// Returns the schema of an object that has only these keys.
    func object(_ fields: [Field], required: [String]) -> JSON.Object {
        var schema: JSON.Object = ["type": "object"]
        schema["properties"] = .object(JSON.Object(fields.map { ($0.name, .object(self.schema($0))) }))
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
        schema["additionalProperties"] = false
        return schema
    }

    func schema(_ type: FieldType) -> JSON.Object {
        switch type {
        case .boolean: return boolean
        case .integer(let range):
            var schema: JSON.Object = ["type": "integer", "minimum": .integer(range.lowerBound)]
            if range.upperBound != .max || way == .taken { schema["maximum"] = .integer(range.upperBound) }
            return schema
        case .number(let range):
            return [
                "type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
            ]
        case .angle:
            return ["type": "number", "minimum": 0, way == .said ? "exclusiveMaximum" : "maximum": 360]
        case .choice(let words): return ["type": "string", "enum": .array(words.map { .string($0) })]
        case .text(let range): return text(range, pattern: nil)
        case .form(.printable, let range): return text(range, pattern: TextForm.printable.pattern)
        case .form(let form, let range):
            // The characters are ASCII, so the number of characters is the number of bytes.
            return Self.text(range, maximum: range.upperBound, form.pattern)
        case .time: return references.time
        case .list(let type, let count):
            return [
                "type": "array", "minItems": .integer(count.lowerBound),
                "maxItems": .integer(count.upperBound),
                "items": .object(schema(type)),
            ]
        case .object(let fields):
            return object(fields, required: fields.filter(\.isRequired).map(\.name))
        case .map(let type): return ["type": "object", "additionalProperties": .object(schema(type))]
        case .either(let types): return ["anyOf": .array(types.map { .object(schema($0)) })]
        case .any: return [:]
        }
    }

    /// The schema of a Boolean value. In commands, the bridge also accepts words.
    private var boolean: JSON.Object {
        guard way == .taken else { return ["type": "boolean"] }
        return ["anyOf": [.object(words.schema(for: true)), .object(words.schema(for: false))]]
    }

    /// Returns the schema of the values that the bridge reads as one of these values. For a Boolean, these include
    /// words.
    func matching(_ values: [JSON.Value]) -> JSON.Object {
        let truths = values.compactMap { $0.bool.map { JSON.Value.object(words.schema(for: $0)) } }
        guard !truths.isEmpty else { return ["enum": .array(values)] }
        let others = values.filter { $0.bool == nil }
        let all = truths + (others.isEmpty ? [] : [["enum": .array(others)]])
        return all.count == 1 ? all[0].object ?? [:] : ["anyOf": .array(all)]
    }

    /// Returns the schema of a text with a length in bytes. A schema counts characters, which have up to four bytes.
    /// For texts that clients send, the schema therefore allows only lengths that the bridge accepts whatever
    /// characters the text has.
    private func text(_ range: ClosedRange<Int>, pattern: String?) -> JSON.Object {
        guard range.upperBound != .max else {
            return Self.text(range, maximum: nil, pattern, bytes: way == .said ? 4 : 1)
        }
        guard way == .taken else { return Self.text(range, maximum: range.upperBound, pattern, bytes: 4) }
        let plain = Self.text(range, maximum: range.upperBound, Self.ascii(pattern))
        let any = Self.text(range, maximum: range.upperBound / 4, pattern)
        return ["anyOf": [.object(plain), .object(any)]]
    }

    /// Returns the same pattern, restricted to ASCII.
    private static func ascii(_ pattern: String?) -> String {
        pattern == nil ? #"^[\x00-\x7F]*$"# : TextForm.ascii.pattern
    }

    private static func text(
        _ range: ClosedRange<Int>, maximum: Int?, _ pattern: String?, bytes: Int = 1
    ) -> JSON.Object {
        var schema: JSON.Object = ["type": "string"]
        let minimum = (range.lowerBound + bytes - 1) / bytes
        if minimum > 0 { schema["minLength"] = .integer(minimum) }
        if let maximum { schema["maxLength"] = .integer(maximum) }
        if let pattern { schema["pattern"] = .string(pattern) }
        return schema
    }

    /// Returns the schema of the same values and `null`.
    static func nullable(_ schema: JSON.Object) -> JSON.Object {
        guard let type = schema["type"]?.string else {
            return ["anyOf": [.object(schema), ["type": "null"]]]
        }
        var schema = schema
        schema["type"] = [.string(type), "null"]
        if let words = schema["enum"]?.array { schema["enum"] = .array(words + [.null]) }
        return schema
    }
}

/// The form of references to shared schemas, which depends on the document.
struct SchemaReferences: Sendable {
    /// The path in front of the schema's name.
    let prefix: String

    /// References in a JSON Schema document.
    static let definitions = SchemaReferences(prefix: "#/$defs/")
    /// References in an AsyncAPI document.
    static let components = SchemaReferences(prefix: "#/components/schemas/")

    /// Returns a reference to the schema with a name.
    func to(_ name: String) -> JSON.Object { ["$ref": .string(prefix + name)] }

    /// A reference to the schema of time stamps.
    var time: JSON.Object { to(Self.timeName) }
    static let timeName = "time"

    /// The schema of a time stamp that the bridge accepts: RFC 3339, with a date that exists.
    static let timeSchema: JSON.Object = [
        "type": "string",
        "description": "A time stamp (RFC 3339); the bridge writes 2026-01-31T12:00:00.000Z.",
        "pattern": .string(
            "^((((0[48]|[2468][048]|[13579][26])00|[0-9]{2}(0[48]|[2468][048]|[13579][26])|0000)-02-29)"
                + "|[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
                + "|02-(0[1-9]|1[0-9]|2[0-8])))[Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)"
                + "([.][0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"),
    ]
}
