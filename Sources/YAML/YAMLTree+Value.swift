public import JSON

extension YAMLTree {
    /// The tree as JSON. A word without quotes may be a number, a Boolean or null.
    public var value: JSON.Value {
        switch content {
        case .mapping(let members): .object(JSON.Object(members.map { ($0.key, $0.value.value) }))
        case .sequence(let elements): .array(elements.map(\.value))
        case .scalar(let text, isPlain: false): .string(text)
        case .scalar(let text, isPlain: true):
            switch text {
            case _ where isNull: .null
            case "true": true
            case "false": false
            default: Self.number(text) ?? .string(text)
            }
        }
    }

    private static func number(_ text: String) -> JSON.Value? {
        guard let first = text.utf8.first, "-+.0123456789".utf8.contains(first) else { return nil }
        if let whole = Int(text) { return .integer(whole) }
        guard let number = Double(text), number.isFinite else { return nil }
        return .number(number)
    }
}
