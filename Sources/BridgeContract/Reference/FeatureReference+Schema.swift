package import JSON

// The descriptions of features as JSON Schema (draft 7 and later). Descriptions contain other descriptions at any
// depth, which declared fields cannot express.
extension FeatureReference {
    private static let text: JSON.Value = ["type": "string"]
    private static let number: JSON.Value = ["type": "number"]
    private static let yes: JSON.Value = ["const": true]
    private static let texts: JSON.Value = ["type": "array", "items": text]

    /// The schema of an object that allows no additional properties.
    private static func closed(_ properties: JSON.Object, required: [String]) -> JSON.Object {
        [
            "type": "object", "properties": .object(properties),
            "required": .array(required.map { .string($0) }), "additionalProperties": false,
        ]
    }

    /// The schema of the message that describes a device.
    package static var deviceSchema: JSON.Object {
        let set = closed(["topic": text], required: ["topic"])
        return [
            "type": "object",
            "properties": [
                familyKey: .object(
                    closed(["name": text, "topic": text], required: ["name", "topic"]))
            ],
            "required": [.string(familyKey)],
            "additionalProperties": .object(
                closed(["kind": kinds, "topic": text, "set": .object(set)], required: ["kind"])),
        ]
    }

    /// The schema of the message that describes a family.
    ///
    /// - Parameter reference: Returns a JSON Schema reference (`$ref`) to one of ``schemas(_:)`` by its name.
    package static func familySchema(_ reference: (String) -> JSON.Value) -> JSON.Object {
        var properties: JSON.Object = [
            "kind": kinds, "summary": text, "private": yes, "payload": text,
            "batched": yes, "nullable": yes, "unit": text, "example": [:], "alternatives": ["type": "array"],
            "set": .object(commandSchema(reference)),
        ]
        for member in limits(reference).members { properties[member.key] = member.value }
        let common = closed(["name": text], required: ["name"])
        return [
            "type": "object",
            "properties": [familyKey: .object(common)], "required": [.string(familyKey)],
            "additionalProperties": .object(closed(properties, required: ["kind", "summary"])),
        ]
    }

    /// The schemas that descriptions contain at any depth, by name.
    package static func schemas(_ reference: (String) -> JSON.Value) -> [(name: String, schema: JSON.Object)]
    {
        let items = limits(reference)
        var field = items
        for (key, value) in [
            ("allowed", text), ("unit", text), ("nullable", yes), ("default", [:]), ("required", yes),
            ("summary", text),
        ] as [(String, JSON.Value)] {
            field[key] = value
        }
        return [
            (fieldsName, ["type": "object", "additionalProperties": reference(fieldName)]),
            (fieldName, closed(field, required: ["type", "allowed", "summary"])),
            (itemsName, closed(items, required: ["type"])),
        ]
    }

    private static let (fieldsName, fieldName, itemsName) = (
        "described_fields", "described_field", "described_items"
    )

    private static let kinds: JSON.Value = [
        "type": "string", "enum": ["state", "event", "stream", "command"],
    ]

    private static func commandSchema(_ reference: (String) -> JSON.Value) -> JSON.Object {
        let any: JSON.Value = ["type": "object"]
        let rule = closed(
            [
                "at_most_one": texts, "exactly_one": texts, "at_least_one": texts, "requires": texts,
                "excludes": texts,
                "any_is": .object(closed(["keys": texts, "value": [:]], required: ["keys", "value"])),
                "given": texts, "when": any, "unless": any,
            ], required: [])
        return closed(
            [
                "summary": text, "fields": reference(fieldsName), "shorthand": texts,
                "words": any, "empty": any, "rules": ["type": "array", "items": .object(rule)],
                "traits": texts, "hazardous": yes, "latest": yes, "kept": yes,
                "answer": reference(fieldsName), "try": text,
            ], required: ["fields", "try"])
    }

    /// The schema properties that describe a field's type and its limits.
    private static func limits(_ reference: (String) -> JSON.Value) -> JSON.Object {
        let length: JSON.Value = [
            "type": "array", "items": ["type": "integer"], "minItems": 1, "maxItems": 2,
        ]
        return [
            "type": text, "minimum": number, "maximum": number, "exclusive_maximum": number,
            "values": texts, "length": length, "pattern": text, "items": reference(itemsName),
            "any_of": ["type": "array", "items": reference(itemsName)], "fields": reference(fieldsName),
        ]
    }
}
