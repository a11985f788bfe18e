import Foundation

/// A Swift file of the package, as far as its place and its imports go.
struct SourceFile: Sendable {
    /// The path below the package's folder.
    let path: String
    let text: String

    /// The modules that it imports, each with its line.
    var imports: [(line: Int, module: String)] {
        lines.enumerated().compactMap { index, line in
            Self.importedModule(line).map { (index + 1, $0) }
        }
    }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The module that a line imports; nil if it is not an import.
    ///
    /// Attributes and access words may stand before `import`, the kind of a declaration behind it. A single function
    /// is told with its module, so that a room may have the system's sine without all of the system.
    static func importedModule(_ line: some StringProtocol) -> String? {
        var words = String(line).split { $0 == " " || $0 == "\t" }.map { String($0) }
        while let word = words.first, word.hasPrefix("@") || accessWords.contains(word) {
            words.removeFirst()
        }
        guard words.first == "import", words.count >= 2 else { return nil }
        let name = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
        if words[1] == "func" { return name }
        return String(name.prefix { $0 != "." && $0 != ";" })
    }

    private static let accessWords: Set<String> = [
        "public", "package", "internal", "fileprivate", "private",
    ]
    private static let kinds: Set<String> = [
        "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor",
    ]

    /// The package's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// All Swift files below a folder of the package, in order.
    static func all(in folder: String) throws -> [SourceFile] {
        let directory = root.appending(path: folder)
        guard FileManager.default.fileExists(atPath: directory.path) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: directory.path).sorted()
            .filter { $0.hasSuffix(".swift") }
            .map { path in
                let text = try String(contentsOf: directory.appending(path: path), encoding: .utf8)
                return SourceFile(path: "\(folder)/\(path)", text: text)
            }
    }
}
