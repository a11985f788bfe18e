import EventLoop
import Testing

@testable import MQTT

@Suite("What either side sends arrives at once", .timeLimit(.minutes(1)))
struct PromptnessTests {
    @Test("What a broker sends behind an acknowledgement does not wait for that of the kernel")
    func promptBehindAcknowledgement() async throws {
        let loop = try EventLoop.start(name: "scripted")
        // A message on the topic s, without a payload.
        let broker = ScriptedBroker(on: loop) { packet in
            guard packet.type == 3 else { return .usual }
            return .sendEach([[0x40, 2] + packet.identifier, [0x30, 4, 0, 1, 0x73, 0]])
        }
        try await withClient(.local(broker.port, "prompt")) { running in
            try await running.connected()
            var times: [Duration] = []
            for _ in 0..<60 {
                let begun = ContinuousClock.now
                running.client.publish(.event("e", "x".utf8))
                try await running.expect(topic: "s")
                times.append(ContinuousClock.now - begun)
            }
            // The kernel's own time is 40 ms, which it keeps when the connection is no longer new.
            #expect(times.sorted()[45] < .milliseconds(25), "\(times)")
        }
        loop.stop()
    }

    @Test("Of what is published in one round of the loop, all behind the first message leaves in one piece")
    func gathered() async throws {
        let loop = try EventLoop.start(name: "scripted")
        let broker = ScriptedBroker(on: loop) { _ in .usual }
        try await withClient(.local(broker.port, "gathered")) { running in
            try await running.connected()
            var packets = broker.packets.makeAsyncIterator()
            func segments() async -> UInt32 {
                await withCheckedContinuation { waiting in
                    loop.execute { waiting.resume(returning: broker.dataSegments) }
                }
            }
            for round in 0..<3 {
                let before = await segments()
                running.client.loop.execute {
                    for number in 0..<50 { running.client.publish(.event("e", "\(round) \(number)".utf8)) }
                }
                for number in 0..<50 {
                    var packet = await packets.next()
                    while let other = packet, other.type != 3 { packet = await packets.next() }
                    #expect(packet?.payload == "\(round) \(number)")
                }
                // One by one they would be fifty; a pure acknowledgement carries no data.
                #expect(await segments() - before <= 4)
            }
        }
        loop.stop()
    }
}
