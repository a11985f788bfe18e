import Testing

/// A code in the protocol that is the position of a case would change if a case were inserted before it.
@Suite("Protocol codes are in the source")
struct WireCodeTests {
    /// Expressions that derive a code from a position.
    private static let places = [
        "firstIndex(of: self)", "allCases[", "allCases.dropFirst", "allCases.distance", "allCases.enumerated",
    ]

    /// The lines that derive a code from the order of cases.
    private static func complaints(in file: SourceFile) -> [String] {
        var complaints: [String] = []
        // The indentation of the enclosing enumeration with integer values.
        var numbered: Int?
        for (index, line) in file.lines.enumerated() {
            let indentation = line.prefix { $0 == " " }.count
            let words = line.dropFirst(indentation)
            if words.firstMatch(of: /enum \w+: U?Int\d*\b/) != nil {
                numbered = indentation
            } else if words.hasPrefix("}"), indentation == numbered {
                numbered = nil
            }
            let isUnnamed =
                numbered.map { indentation == $0 + 4 } ?? false
                && words.hasPrefix("case ") && !words.contains(" = ")
            if isUnnamed || places.contains(where: { words.contains($0) }) {
                complaints.append("\(file.path):\(index + 1): \(words)")
            }
        }
        return complaints
    }

    @Test("No codec derives a code from the order of an enumeration's cases")
    func codecs() throws {
        let files = try SourceFile.all(in: "Sources/Devices").filter { $0.path.contains("/Codec/") }
        #expect(files.count > 20)
        #expect(files.flatMap(Self.complaints) == [])
    }

    @Test(
        "A code derived from a position is detected",
        arguments: [
            "var code: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }",
            "        self = Self.allCases[Int(code)]",
            "enum Mode: UInt8, Named {\n    case standby = 0\n    case wait\n}",
        ])
    func found(source: String) {
        #expect(Self.complaints(in: SourceFile(path: "x", text: source)).count == 1)
    }
}
