import Testing

/// A row in a table of test vectors: a name, bytes, and their meaning.
struct TapVector<Meaning: Sendable>: Sendable, CustomTestStringConvertible {
    var name: String
    var hex: String
    var meaning: Meaning

    init(_ name: String, _ hex: String, _ meaning: Meaning) {
        self.name = name
        self.hex = hex
        self.meaning = meaning
    }

    var testDescription: String { "\(name): \(hex)" }
}
