import HostTesting
import Testing

@testable import MQTT

@Suite("Payloads that are kept for the next connection")
struct KeptPayloadTests {
    /// What a device of some kind announces: the same for each, but for its name and its address.
    private static func announcement(_ name: String, _ address: String) -> [UInt8] {
        let parts = (0..<60).map { part in
            #""part_\#(part)":{"p":"sensor","uniq_id":"bridge_\#(address)_part_\#(part)","name":"Part \#(part)","#
                + #""stat_t":"\#(name)/part_\#(part)","val_tpl":"{{value_json.part_\#(part)}}","qos":1}"#
        }
        return Array("{\"dev\":{\"ids\":[\"\(address)\"]},\"cmps\":{\(parts.joined(separator: ","))}}".utf8)
    }

    private static let pattern = announcement("tap/8c0001", "d7a9e08c0001")

    @Test(
        "A payload that resembles another one costs less than half of it, and comes back byte for byte",
        arguments: [("tap/a1b2c3", "d7a9e08ca1b2c4"), ("tap/8c0001", "d7a9e08c0001"), ("t", ""), ("", "0")])
    func similar(name: String, address: String) throws {
        let payload = Self.announcement(name, address)
        let kept = try #require(KeptPayload(payload, like: Self.pattern))
        #expect(kept.bytes == payload && !kept.isEmpty && kept.cost <= payload.count / 2)
    }

    @Test(
        "What has other keys, or little in common, is not kept by another payload",
        arguments: [
            [], [34], pattern + [34], Array(pattern.dropLast(9)),
            announcement("t", String(repeating: "x", count: 200)),
        ])
    func different(payload: [UInt8]) { #expect(KeptPayload(payload, like: Self.pattern) == nil) }

    @Test("Whatever was changed in a payload, it comes back", arguments: 0..<40)
    func anyChange(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var payload = Self.pattern
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let place = Int.random(in: 0..<payload.count, using: &random)
            payload.replaceSubrange(
                place..<min(payload.count, place + 5), with: [34, UInt8(seed), 34].prefix(Int(seed) % 4))
        }
        if let kept = KeptPayload(payload, like: Self.pattern) { #expect(kept.bytes == payload) }
    }

    @Test(
        "The outbox keeps many payloads of one kind for the price of few, and sends each as it was published")
    func outbox() {
        let bench = OutboxBench(window: nil)
        var expected: [String: [UInt8]] = ["short": [1, 2, 3]]
        for number in 0..<100 {
            expected["topic/\(number)"] = Self.announcement("tap/\(number)", "d7a9e08c\(number)")
        }
        for (topic, payload) in expected { bench.publish(.state(topic, payload)) }
        let whole = expected.values.reduce(0) { $0 + $1.count }
        #expect(bench.outbox.states.values.reduce(0) { $0 + $1.payload.cost } < whole / 2)
        // After each connect all of them leave.
        for _ in 0..<2 {
            bench.connect(window: 1000)
            var sent: [String: [UInt8]] = [:]
            while let delivery = bench.outbox.next() { sent[delivery.topic] = delivery.payload }
            #expect(sent == expected)
            bench.disconnect()
        }
    }

    @Test("There are few patterns, however many kinds of payloads come")
    func bounded() {
        var patterns = PayloadPatterns()
        var random = RandomSource(seed: 1)
        for _ in 0..<100 {
            let noise = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &random) }
            let kept = patterns.keep(noise)
            #expect(kept.bytes == noise && kept.cost == noise.count)
        }
        #expect(patterns.patterns.count == PayloadPatterns.capacity)
    }
}

extension KeptPayload {
    /// How many bytes are kept for it alone.
    fileprivate var cost: Int {
        switch self {
        case .whole(let bytes): bytes.count
        case .difference(_, let places, let pieces): 2 * places.count + pieces.count
        }
    }
}
