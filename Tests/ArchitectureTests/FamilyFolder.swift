import Foundation

/// The folder of a family of devices: all of its sources, and nothing of another one.
struct FamilyFolder: Sendable, CustomStringConvertible {
    /// The folder's name below `Sources/Devices`.
    let name: String
    let files: [SourceFile]

    var description: String { name }

    /// All of them.
    static let all: [FamilyFolder] = {
        let files = (try? SourceFile.all(in: "Sources/Devices")) ?? []
        let folders = Dictionary(grouping: files) { String($0.path.split(separator: "/")[2]) }
        return folders.filter { !$0.key.hasSuffix(".swift") }.map { FamilyFolder(name: $0, files: $1) }
            .sorted { $0.name < $1.name }
    }()

    /// The types of the family that stand by themselves.
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

    /// The words of a family's code, comments and documentation included.
    var words: Set<String> {
        Set(files.flatMap { $0.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init) })
    }
}
