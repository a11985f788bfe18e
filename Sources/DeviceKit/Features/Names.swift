extension FieldType {
    /// The type in one word, for programs: `integer`, `choice`, …
    public var word: String {
        switch self {
        case .boolean: "boolean"
        case .integer: "integer"
        case .number, .angle: "number"
        case .choice: "choice"
        case .text, .form: "text"
        case .time: "time"
        case .list: "list"
        case .object: "object"
        case .map: "map"
        case .either, .any: "any"
        }
    }
}

extension Command.Traits {
    /// The names of the traits, as the reference shows them.
    public var names: [String] {
        let words: [(Self, String)] = [
            (.latest, "latest"), (.kept, "kept"), (.stop, "stop"), (.fleeting, "fleeting"),
            (.confirmed, "confirmed"), (.hazardous, "hazardous"),
        ]
        return words.filter { contains($0.0) }.map(\.1)
    }
}
