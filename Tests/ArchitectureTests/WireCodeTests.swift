import Testing

/// A code on the wire that is the place of a name in an enumeration changes where a case is added before it.
@Suite("Codes on the wire stand in the source")
struct WireCodeTests {
    /// What makes a code out of a place.
    private static let places = [
        "firstIndex(of: self)", "allCases[", "allCases.dropFirst", "allCases.distance", "allCases.enumerated",
    ]

    /// The lines that leave a code to the order of the cases.
    private static func complaints(in file: SourceFile) -> [String] {
        var complaints: [String] = []
        // The indentation of the enumeration of numbers in which a line stands.
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

    @Test("No codec takes a code from the order of an enumeration's cases")
    func codecs() throws {
        let files = try SourceFile.all(in: "Sources/Devices").filter { $0.path.contains("/Codec/") }
        #expect(files.count > 20)
        #expect(files.flatMap(Self.complaints) == [])
    }

    @Test(
        "A code that is a place is found",
        arguments: [
            "var code: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }",
            "        self = Self.allCases[Int(code)]",
            "enum Mode: UInt8, Named {\n    case standby = 0\n    case wait\n}",
        ])
    func found(source: String) {
        #expect(Self.complaints(in: SourceFile(path: "x", text: source)).count == 1)
    }
}
