import Bluetooth
import Testing

/// Bytes as the test vectors write them.
func bytes(_ text: String) -> [UInt8] {
    guard let bytes = Hex.bytes(text) else {
        Issue.record("not hexadecimal: \(text)")
        return []
    }
    return bytes
}

/// A row of a table of test vectors: its name, its bytes, and what they mean.
struct Vector<Meaning: Sendable>: Sendable, CustomTestStringConvertible {
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
