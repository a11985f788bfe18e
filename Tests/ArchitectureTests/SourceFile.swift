import Foundation

/// A Swift file of the package, with its path and its imports.
struct SourceFile: Sendable {
    /// The path, relative to the package's folder.
    let path: String
    let text: String

    /// The imported modules, each with its line number.
    var imports: [(line: Int, module: String)] {
        lines.enumerated().compactMap { index, line in
            Self.importedModule(line).map { (index + 1, $0) }
        }
    }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// Returns the module that a line imports; nil if the line is not an import.
    ///
    /// Attributes and access modifiers may precede `import`, and the kind of a declaration may follow it. A
    /// single function is returned with its module, such as `Glibc.sin`, so that a module may import only
    /// this function.
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

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// All Swift files below a folder of the package, sorted by path.
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
