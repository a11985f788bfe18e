import DeviceKit
import JSON

extension Field {
    /// The declaration of the field as a part of a report.
    var published: Field {
        Field(name, type, unit: unit, nullable: !isRequired && self.default == nil, summary)
    }

    /// Returns the field with the limits of the packet item that writes it, if the field itself declares no limits.
    func narrowed(by steps: [WriteStep]) -> Field {
        guard case .integer(FileReader.wholeNumbers) = type else { return self }
        var field = self
        for step in steps {
            guard case .packet(let packet) = step.content else { continue }
            for item in packet.items where item.name == name {
                if case .number(let number) = item.content, case .integer(let range) = number.fieldType() {
                    field.type = .integer(range)
                }
            }
        }
        return field
    }

    /// A value for examples: the default if there is one, otherwise a value that the type allows.
    var sample: JSON.Value { self.default.flatMap { $0 == .null ? nil : $0 } ?? type.sample }
}

extension FieldType {
    var sample: JSON.Value {
        switch self {
        case .boolean: return true
        case .integer(let range):
            return .integer(range.contains(0) ? (range.contains(1) ? 1 : 0) : range.lowerBound)
        case .number(let range):
            return Decimal(range.contains(0) ? (range.contains(1) ? 1 : 0) : range.lowerBound)?.json ?? 0
        case .angle: return 90
        case .choice(let words): return .string(words.first ?? "")
        case .text(let range):
            return .string(
                String("hello".prefix(range.upperBound))
                    + String(repeating: "x", count: max(0, range.lowerBound - 5)))
        case .form(.address, _): return "AA:BB:CC:DD:EE:FF"
        case .form(_, let range): return FieldType.text(range).sample
        case .time: return "2026-01-31T12:00:00.000Z"
        case .list(let type, let count):
            return .array(
                Array(repeating: type.sample, count: max(count.lowerBound, min(1, count.upperBound))))
        case .object(let fields): return .object(JSON.Object(fields.map { ($0.name, $0.sample) }))
        case .map(let type): return ["key": type.sample]
        case .either(let types): return types.first?.sample ?? 1
        case .any: return 1
        }
    }
}
