import DeviceKit
import JSON

/// Describes published messages as JSON Schema.
struct ReportSchema {
    private let fields: FieldSchema
    private let references: SchemaReferences

    init(_ references: SchemaReferences) {
        self.references = references
        fields = FieldSchema(.said, references)
    }

    func schema(_ report: Report) -> JSON.Object {
        switch report.payload {
        case .plain(let type, let unit):
            var schema = fields.schema(type)
            if report.isNullable { schema = FieldSchema.nullable(schema) }
            if let unit { schema["x-unit"] = .string(unit) }
            return schema
        case .object(let declared):
            let object = report.kind == .event ? event(declared) : fields.object(declared, required: [])
            guard report.isBatched else { return object }
            return ["anyOf": [.object(object), ["type": "array", "items": .object(object), "minItems": 1]]]
        }
    }

    /// Returns the schema of an event, with the fields that the bridge adds: `time` and `seq`.
    private func event(_ declared: [Field]) -> JSON.Object {
        let stamps = [
            Field("time", .time, "When it happened."),
            Field("seq", .integer(1...Int.max), "A counter; a repeated number is a duplicate."),
        ].filter { stamp in !declared.contains { $0.name == stamp.name } }
        return fields.object(declared + stamps, required: ["time", "seq"])
    }

    /// Returns the schema of the answer to a command or a request.
    ///
    /// - Parameters:
    ///   - subject: The key that names the command or request: `feature`, `request`.
    ///   - names: The allowed values of this key; empty for any text.
    ///   - declared: The keys that every answer has.
    ///   - answers: The additional keys of successful answers.
    func answer(
        _ subject: String, _ names: [String], _ declared: [Field], answers: [Field]
    ) -> JSON.Object {
        var all = Self.merged(declared + answers)
        for index in all.indices where all[index].name == subject && !names.isEmpty {
            all[index].type = .choice(names)
        }
        var schema = fields.object(all, required: [subject, "status", "time"])
        schema["if"] = ["properties": ["status": ["const": "ok"]]]
        schema["then"] = ["required": ["elapsed_ms"]]
        schema["else"] = ["required": ["code", "message"]]
        return schema
    }

    /// Merges fields with the same name; the merged type allows each of their types.
    static func merged(_ fields: [Field]) -> [Field] {
        var all: [Field] = []
        for field in fields {
            guard let index = all.firstIndex(where: { $0.name == field.name }) else {
                all.append(field)
                continue
            }
            var types = [all[index].type]
            if case .either(let others) = all[index].type { types = others }
            if !types.contains(field.type) { all[index].type = .either(types + [field.type]) }
            all[index].isNullable = all[index].isNullable || field.isNullable
        }
        return all
    }
}
