import DeviceKit
import JSON

// The fields of a value in machine-readable form, in addition to the text.
extension FeatureReference {
    /// Describes fields by name, each with its type, its limits, its meaning and its default.
    static func describe(_ fields: [Field]) -> JSON.Object {
        var object = JSON.Object()
        for field in fields {
            var entry = describe(field.type)
            entry["unit"] = field.unit.map { .string($0) }
            if field.isNullable { entry["nullable"] = true }
            entry["default"] = field.default
            if field.isRequired { entry["required"] = true }
            entry["summary"] = .string(field.summary)
            object[field.name] = .object(entry)
        }
        return object
    }

    /// Describes a type: `type`, `allowed` in words, and its limits.
    ///
    /// `length` is the number of bytes of a text or of elements of a list: the minimum and the maximum, or only the
    /// minimum. A list has its elements' type under `items`; a map has its values' type there.
    static func describe(_ type: FieldType) -> JSON.Object {
        var object: JSON.Object = [
            "type": .string(type.word), "allowed": .string(type.allowed),
        ]
        for member in limits(of: type).members { object[member.key] = member.value }
        return object
    }

    static func limits(of type: FieldType) -> JSON.Object {
        switch type {
        case .boolean, .time, .any: return [:]
        case .integer(let range):
            var object: JSON.Object = ["minimum": .integer(range.lowerBound)]
            if range.upperBound != .max { object["maximum"] = .integer(range.upperBound) }
            return object
        case .number(let range):
            return ["minimum": number(range.lowerBound), "maximum": number(range.upperBound)]
        case .angle: return ["minimum": 0, "exclusive_maximum": 360]
        case .choice(let words): return ["values": .array(words.map { .string($0) })]
        case .text(let range): return range == 0...Int.max ? [:] : ["length": length(range)]
        case .form(let form, let range):
            return ["length": length(range), "pattern": .string(form.pattern)]
        case .list(let type, let count):
            return ["length": length(count), "items": .object(items(type))]
        case .object(let fields): return ["fields": .object(describe(fields))]
        case .map(let type): return ["items": .object(items(type))]
        case .either(let types): return ["any_of": .array(types.map { .object(items($0)) })]
        }
    }

    /// A number as the parser reads it: an integer if it is whole.
    private static func number(_ value: Double) -> JSON.Value {
        Int(exactly: value).map { .integer($0) } ?? .number(value)
    }

    /// The type of an element, without `allowed`: the text of the whole type includes it.
    private static func items(_ type: FieldType) -> JSON.Object {
        var object: JSON.Object = ["type": .string(type.word)]
        for member in limits(of: type).members { object[member.key] = member.value }
        return object
    }

    private static func length(_ range: ClosedRange<Int>) -> JSON.Value {
        range.upperBound == .max
            ? [.integer(range.lowerBound)] : [.integer(range.lowerBound), .integer(range.upperBound)]
    }
}
