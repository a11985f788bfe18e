package import Foundation
import JSON

/// A file of worked examples in `docs/protocols/vectors`. `docs/protocols/README.md` describes its format.
package struct VectorFile: Sendable {
    /// A document, program or file that is a source of facts.
    package struct Source: Sendable {
        package let mark: String
        package let what: String
        package let url: String?
    }

    /// A kind of example, and the test targets that must read it.
    package struct Kind: Sendable {
        package let name: String
        package let what: String
        package let readers: [String]
    }

    /// The names of all files.
    package static let devices = ["belt", "tap", "robot", "haptic-patterns"]

    package let device: String
    package let sources: [Source]
    package let kinds: [Kind]
    package let vectors: [ProtocolVector]
    /// The error in the file, which is then treated as empty.
    package let problem: String?

    package static func named(_ device: String) -> VectorFile {
        do { return try VectorFile(device) } catch {
            return VectorFile(broken: device, problem: "\(path(of: device)): \(error)")
        }
    }

    private init(broken device: String, problem: String) {
        (self.device, self.problem) = (device, problem)
        (sources, kinds, vectors) = ([], [], [])
    }

    private static func path(of device: String) -> String { "docs/protocols/vectors/\(device).json" }

    private init(_ device: String) throws {
        let data = try Data(contentsOf: Repository.root.appending(path: Self.path(of: device)))
        let value = try JSON.Value(parsing: Array(data))
        guard value.object?.keys == ["device", "about", "sources", "kinds", "vectors"],
            value["device"]?.string == device, value["about"]?.string != nil
        else { throw VectorError("its keys are device, about, sources, kinds and vectors, in this order") }
        (self.device, problem) = (device, nil)
        sources = try (value["sources"]?.object?.members ?? []).map { member in
            guard let what = member.value["what"]?.string else { throw VectorError("source \(member.key)") }
            return Source(mark: member.key, what: what, url: member.value["url"]?.string)
        }
        kinds = try (value["kinds"]?.object?.members ?? []).map { member in
            guard let what = member.value["what"]?.string, let readers = member.value["read_by"]?.array else {
                throw VectorError("kind \(member.key)")
            }
            return Kind(name: member.key, what: what, readers: readers.compactMap(\.string))
        }
        vectors = try (value["vectors"]?.array ?? []).map { try ProtocolVector($0) }
        try check()
    }

    private func check() throws {
        let marks = Set(sources.map(\.mark))
        var names: Set<String> = []
        for vector in vectors {
            guard names.insert(vector.name).inserted, !marks.contains(vector.name) else {
                throw VectorError("\(vector.name) is named twice")
            }
            guard kinds.contains(where: { $0.name == vector.kind }) else {
                throw VectorError("\(vector.name): kind \(vector.kind) is not described")
            }
            guard marks.isSuperset(of: vector.sources) else {
                throw VectorError("\(vector.name): its sources are not all described")
            }
        }
        for kind in kinds where kind.readers.isEmpty || !vectors.contains(where: { $0.kind == kind.name }) {
            throw VectorError("kind \(kind.name) has no reader or no example")
        }
    }

    /// The examples that a test target must read.
    package func vectors(readBy target: String) -> [ProtocolVector] {
        let names = kinds(readBy: target)
        return vectors.filter { names.contains($0.kind) }
    }

    /// The kinds that a test target must read.
    package func kinds(readBy target: String) -> Set<String> {
        Set(kinds.filter { $0.readers.contains(target) }.map(\.name))
    }
}

/// The location of the project's files.
package enum Repository {
    /// The project's folder.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}
