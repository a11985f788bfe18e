/// Parses a signature, such as `oa{sv}`, by the rules of the D-Bus specification.
struct SignatureParser {
    private var rest: Substring.UTF8View
    private let text: String
    static func parse(_ text: String) throws(DBusError) -> [ValueType] {
        // The most frequent signature of more than one letter is not parsed each time.
        if text == "a{sv}" { return [.dictionary(.string, .variant)] }
        guard text.utf8.count <= Signature.maximumLength else {
            throw .invalid("The signature \"\(text)\" is longer than \(Signature.maximumLength) bytes")
        }
        var parser = SignatureParser(rest: text[...].utf8, text: text)
        var types: [ValueType] = []
        while !parser.rest.isEmpty { types.append(try parser.type(arrays: 0, structures: 0)) }
        return types
    }

    private mutating func type(arrays: Int, structures: Int) throws(DBusError) -> ValueType {
        guard let code = rest.popFirst() else { throw fault("ends too early") }
        switch code {
        case UInt8(ascii: "a"):
            guard arrays < Signature.maximumDepth else { throw fault("nests arrays too deeply") }
            guard rest.first == UInt8(ascii: "{") else {
                return .array(try type(arrays: arrays + 1, structures: structures))
            }
            rest.removeFirst()
            let key = try type(arrays: arrays + 1, structures: structures)
            guard key.isBasic else { throw fault("has a container as the key of a dictionary") }
            let value = try type(arrays: arrays + 1, structures: structures)
            guard rest.popFirst() == UInt8(ascii: "}") else { throw fault("lacks a \"}\"") }
            return .dictionary(key, value)
        case UInt8(ascii: "("):
            guard structures < Signature.maximumDepth else { throw fault("nests structures too deeply") }
            var fields: [ValueType] = []
            while rest.first != UInt8(ascii: ")") {
                fields.append(try type(arrays: arrays, structures: structures + 1))
            }
            rest.removeFirst()
            guard !fields.isEmpty else { throw fault("has an empty structure") }
            return .structure(fields)
        default:
            guard let type = Self.single[code] else { throw fault("has a character that is not a type code") }
            return type
        }
    }

    private static let single: [UInt8: ValueType] = {
        let types: [ValueType] = [
            .byte, .bool, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath,
            .signature, .descriptor, .variant,
        ]
        return Dictionary(uniqueKeysWithValues: types.map { ($0.description.utf8.first ?? 0, $0) })
    }()

    private func fault(_ what: String) -> DBusError {
        .invalid("The signature \"\(text)\" \(what)")
    }
}
