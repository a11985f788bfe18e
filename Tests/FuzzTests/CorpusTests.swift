import Foundation
import HostTesting
import Testing

@Suite("Untrusted bytes")
struct CorpusTests {
    /// The corpus is next to this file, because it is part of the sources.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    static func samples(of parser: String) throws -> [(name: String, bytes: [UInt8])] {
        let folder = folder.appending(path: parser)
        guard FileManager.default.fileExists(atPath: folder.path) else { return seeds }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.map { ($0, [UInt8](try Data(contentsOf: folder.appending(path: $0)))) }
    }

    /// The initial samples of a family without findings: random sessions.
    static let seeds = (UInt64(0)..<8).map { seed in
        var random = RandomSource(seed: seed)
        return (name: "chance \(seed)", bytes: random.bytes(atMost: 400))
    }

    @Test(
        "Found samples, and variants with changed bytes, pass the checks", arguments: Parser.all.map(\.name))
    func corpus(name: String) throws {
        let parser = try #require(Parser.named(name))
        let samples = try Self.samples(of: name)
        #expect(!samples.isEmpty)
        var random = RandomSource(seed: 1)
        for (file, bytes) in samples {
            #expect(try parser.check(bytes) == [], "\(name)/\(file)")
            for round in 0..<20 {
                var mutant = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&mutant, using: &random) }
                #expect(try parser.check(mutant) == [], "\(name)/\(file), change \(round): \(mutant)")
            }
        }
    }

    private func mutate(_ bytes: inout [UInt8], using random: inout RandomSource) {
        guard let index = bytes.indices.randomElement(using: &random) else { return bytes.append(0) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
        case 2: bytes.remove(at: index)
        default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
    }

    @Test("Each folder of the corpus belongs to a parser, and only new families have no folder")
    func folders() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let families = Set(Parser.families.map(\.name))
        #expect(Set(folders).isSubset(of: Parser.all.map(\.name)))
        #expect(Set(Parser.all.map(\.name)).subtracting(families).isSubset(of: folders))
    }
}
