import Glibc
package import Haptics
import HostServices
package import JSON
import YAML

/// The folder with the files of haptic patterns: `*.ahap`, and `*.yaml` with a list of events.
package struct PatternFolder {
    /// How many bytes a file may have: a pattern with as many events as it may hold needs less.
    private static let fileLimit = 1 << 20

    /// The folder's path.
    package var path: String

    package init(path: String) {
        self.path = path
    }

    /// Reads all that is in it; files that cannot be taken are among the library's problems.
    package func load() -> Library {
        var library = Library()
        for name in names() {
            let bytes: [UInt8]
            do {
                bytes = try FileAccess.read("\(path)/\(name)", limit: Self.fileLimit)
            } catch {
                library.leaveOut(name, reason: error.reason)
                continue
            }
            library.add(name) { () throws(HapticsError) in try Self.read(name, bytes) }
        }
        return library
    }

    /// Reads one file by what its name says that it is.
    package static func read(_ name: String, _ bytes: [UInt8]) throws(HapticsError) -> AHAPFile {
        if name.hasSuffix(".ahap") { return try AHAPFile(parsing: bytes) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HapticsError(.invalid, "the file", "not UTF-8")
        }
        let tree: YAMLTree
        do { tree = try YAMLTree(text) } catch {
            throw HapticsError(.invalid, "line \(error.place.line)", error.message)
        }
        return AHAPFile(try Pattern(file: tree.value))
    }

    /// The names of the pattern files in the alphabet's order; none where the folder is not there.
    private func names() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".ahap") || name.hasSuffix(".yaml") { names.append(name) }
        }
        return names.sorted()
    }
}

extension YAMLTree {
    /// The same as JSON: a word without quotes may be a number, a truth value or nothing.
    package var value: JSON.Value {
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
