import HostTesting
import Testing

@testable import MQTT

@Suite("Payloads stored for the next connection")
struct KeptPayloadTests {
    /// Returns the announcement of a device of some kind: the same for all devices, except for name and address.
    private static func announcement(_ name: String, _ address: String, parts: Int = 60) -> [UInt8] {
        let parts = (0..<parts).map { part in
            #""part_\#(part)":{"p":"sensor","uniq_id":"bridge_\#(address)_part_\#(part)","name":"Part \#(part)","#
                + #""stat_t":"\#(name)/part_\#(part)","val_tpl":"{{value_json.part_\#(part)}}"}"#
        }
        return Array("{\"dev\":{\"ids\":[\"\(address)\"]},\"cmps\":{\(parts.joined(separator: ","))}}".utf8)
    }

    @Test(
        "A similar payload needs a fraction of the memory, and is restored byte for byte",
        arguments: [
            ("tap/a1b2c3", "d7a9e08ca1b2c4"), ("tap/a1b2c4", "c0ffee000001"), ("hall/left", "d7a9e08c0102"),
            ("t", "0"), ("a/much/longer/name/than/that/of/the/others", "d7a9e08cffff"),
        ])
    func similar(name: String, address: String) throws {
        let pattern = KeptPayload.Pattern(Self.announcement("tap/8c0001", "d7a9e08c0001"))
        let payload = Self.announcement(name, address)
        let kept = try #require(KeptPayload(payload, like: pattern))
        #expect(kept.bytes == payload)
        #expect(!kept.isEmpty)
        #expect(kept.cost < payload.count / 2)
    }

    @Test("An equal payload needs almost no memory, and a payload with an equal start or end is restored")
    func edges() throws {
        let bytes = Self.announcement("tap/8c0001", "d7a9e08c0001")
        let pattern = KeptPayload.Pattern(bytes)
        #expect(try #require(KeptPayload(bytes, like: pattern)).cost < 8)
        for payload in [bytes + [1, 2, 3], [9] + bytes, Array(bytes.dropLast(5)), Array(bytes.dropFirst(7))] {
            #expect(KeptPayload(payload, like: pattern)?.bytes == payload)
        }
        #expect(KeptPayload([], like: pattern)?.bytes == [])
    }

    @Test("A dissimilar payload is not stored as a difference")
    func different() {
        let pattern = KeptPayload.Pattern(Self.announcement("tap/8c0001", "d7a9e08c0001"))
        var random = RandomSource(seed: 7)
        let noise = (0..<9000).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(KeptPayload(noise, like: pattern) == nil)
        #expect(KeptPayload(Array("short".utf8), like: pattern) == nil)
    }

    @Test("A payload with random changes is restored", arguments: 0..<40)
    func anyChange(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let bytes = Self.announcement("tap/8c0001", "d7a9e08c0001", parts: 20)
        let pattern = KeptPayload.Pattern(bytes)
        var payload = bytes
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let place = Int.random(in: 0...payload.count, using: &random)
            let end = min(payload.count, place + Int.random(in: 0...70, using: &random))
            let new = (0..<Int.random(in: 0...70, using: &random)).map { _ in
                UInt8.random(in: 0x61...0x64, using: &random)
            }
            payload.replaceSubrange(place..<end, with: new)
        }
        if let kept = KeptPayload(payload, like: pattern) { #expect(kept.bytes == payload) }
    }

    @Test(
        "The outbox needs little memory for similar payloads, and sends each unchanged")
    func outbox() {
        var outbox = Outbox()
        var expected: [String: [UInt8]] = ["short": [1, 2, 3]]
        outbox.enqueue(.state("short", [1, 2, 3]), at: .zero)
        for number in 0..<100 {
            let payload = Self.announcement("tap/\(number)", "d7a9e08c\(number)")
            expected["topic/\(number)"] = payload
            outbox.enqueue(.state("topic/\(number)", payload), at: .zero)
        }
        let whole = expected.values.reduce(0) { $0 + $1.count }
        #expect(outbox.states.values.reduce(0) { $0 + $1.payload.cost } < whole / 5)
        // All of them are sent after each connect.
        for _ in 0..<2 {
            outbox.connected(window: 1000, at: .zero)
            var sent: [String: [UInt8]] = [:]
            var identifier: CInt = 0
            while let delivery = outbox.next() {
                identifier += 1
                outbox.handedOver(delivery, as: identifier, at: .zero)
                sent[delivery.topic] = delivery.payload
                _ = outbox.acknowledged(identifier, at: .zero)
            }
            #expect(sent == expected)
            _ = outbox.disconnected()
        }
    }

    @Test("The number of patterns is limited for any number of kinds of payloads")
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
