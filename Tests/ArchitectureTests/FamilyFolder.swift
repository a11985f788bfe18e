import Foundation

/// The source files in the folder of one device family.
struct FamilyFolder: Sendable, CustomStringConvertible {
    let name: String
    let files: [SourceFile]

    var description: String { name }

    /// The folders of all families.
    static let all: [FamilyFolder] = {
        let files = (try? SourceFile.all(in: "Sources/Devices")) ?? []
        let folders = Dictionary(grouping: files) { String($0.path.split(separator: "/")[2]) }
        return folders.filter { !$0.key.hasSuffix(".swift") }.map { FamilyFolder(name: $0, files: $1) }
            .sorted { $0.name < $1.name }
    }()

    /// The top-level types of the family.
    var types: Set<String> {
        let kinds = #/^(?:public )?(?:indirect )?(?:struct|enum|class|protocol|typealias|actor) (\w+)/#
        return Set(files.flatMap(\.lines).compactMap { $0.prefixMatch(of: kinds).map { String($0.1) } })
    }

    /// The types that are families.
    var families: [String] {
        files.flatMap(\.lines).compactMap {
            $0.prefixMatch(of: #/^(?:public )?struct (\w+Family): DeviceFamily/#).map { String($0.1) }
        }
    }

    /// All words of the family's sources, including comments.
    var words: Set<String> {
        Set(files.flatMap { $0.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init) })
    }
}
