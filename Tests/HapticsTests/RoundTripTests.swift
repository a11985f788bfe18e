import Haptics
import JSON
import Testing

@Suite("AHAP round trips")
struct RoundTripTests {
    @Test("Every sample file keeps its meaning in the model", arguments: Samples.all)
    func samples(text: String) throws {
        let pattern = try Samples.file(text).pattern
        let again = try AHAPFile(parsing: AHAPFile.value(of: pattern).bytes)
        #expect(again.pattern == pattern)
        #expect(again.remarks == [])
    }

    @Test("10,000 random valid patterns are reproduced")
    func random() throws {
        var random = RandomSource(seed: 6)
        for _ in 0..<10_000 {
            let pattern = random.pattern()
            let written = AHAPFile.value(of: pattern)
            let file = try AHAPFile(parsing: written.bytes)
            guard file.pattern == pattern, file.remarks == [], AHAPFile.value(of: file.pattern) == written
            else {
                Issue.record("\(written) did not come back")
                return
            }
        }
    }

    @Test("10,000 random mutations of valid files cause no crash, and each error has a location")
    func mutations() throws {
        var random = RandomSource(seed: 7)
        var refused = 0
        for round in 0..<10_000 {
            var bytes = Array((Samples.all.randomElement(using: &random) ?? "").utf8)
            if round.isMultiple(of: 3) { bytes = AHAPFile.value(of: random.pattern()).bytes }
            for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&bytes, &random) }
            do throws(HapticsError) {
                let file = try AHAPFile(parsing: bytes)
                let timeline = Timeline(file.pattern, passes: 2)
                #expect(timeline.steps.allSatisfy { $0.intensity > 0 && $0.intensity <= 1 })
                #expect(zip(timeline.steps, timeline.steps.dropFirst()).allSatisfy { $0.end <= $1.start })
            } catch {
                refused += 1
                guard !error.path.isEmpty, !error.reason.isEmpty else {
                    Issue.record("\(String(decoding: bytes, as: UTF8.self)) is refused without a place")
                    return
                }
            }
        }
        #expect(refused > 5000 && refused < 10_000)
    }

    private static let words = [
        "null", "-1", "1e9", "1e-9", "99999999999999999999", "\"\"", "[]", "{}", "true",
        "\"HapticTransient\"",
        "\"Time\":1,", ",", ":", "[", "}", "\"",
    ]

    private func mutate(_ bytes: inout [UInt8], _ random: inout RandomSource) {
        guard let index = bytes.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.removeSubrange(index...)
        case 3:
            bytes.insert(contentsOf: (Self.words.randomElement(using: &random) ?? "").utf8, at: index)
        default: replaceValue(&bytes, from: index, &random)
        }
    }

    /// Replaces a number or a word by a different value, so that the JSON usually stays valid.
    private func replaceValue(_ bytes: inout [UInt8], from index: Int, _ random: inout RandomSource) {
        guard let start = bytes[index...].firstIndex(of: UInt8(ascii: ":")) else { return }
        let end = bytes[(start + 1)...].firstIndex { ",}]".utf8.contains($0) } ?? bytes.endIndex
        bytes.replaceSubrange(start + 1..<end, with: (Self.words.randomElement(using: &random) ?? "").utf8)
    }
}
