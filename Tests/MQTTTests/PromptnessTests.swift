import CMosquitto
import EventLoop
import Glibc
import Messages
import Testing

@testable import MQTT

@Suite("Messages arrive without delays in either direction", .timeLimit(.minutes(1)))
struct PromptnessTests {
    @Test(
        "A message after an acknowledgement, or split in two, waits neither for the kernel nor for other packets",
        arguments: [false, true])
    func echo(isCut: Bool) async throws {
        // A message on the topic s with the payload "end". The last bytes alone are too few to wake a socket that
        // collects acknowledgements.
        let message: [[UInt8]] = [[0x30, 7, 0, 1], [0x73, 0, 0x65, 0x6E, 0x64]]
        let broker = ScriptedBroker { packet in
            guard packet.type == 3 else { return .usual }
            let acknowledgement = [0x40, 2] + packet.identifier
            return .sendEach(
                isCut ? message + [acknowledgement] : [acknowledgement, message[0] + message[1]])
        }
        try await withClient(.local(broker.port, "prompt")) { running in
            try await running.connected()
            var times: [Duration] = []
            for _ in 0..<60 {
                let start = ContinuousClock.now
                running.client.publish(.event("e", "x".utf8))
                try await running.expect("end", topic: "s")
                times.append(ContinuousClock.now - start)
            }
            // The kernel delays its own acknowledgements by 40 ms once the connection is no longer new; then most would
            // be late. On a busy machine some are.
            #expect(times.sorted()[30] < .milliseconds(25))
        }
    }

    @Test("An immediate reply carries the kernel's acknowledgement")
    func acknowledgedByAnswer() async throws {
        // A QoS 1 message after each acknowledgement of the previous one.
        let broker = ScriptedBroker { packet in
            guard packet.type == 3 || packet.type == 4 else { return .usual }
            let number = packet.type == 3 ? 1 : packet.identifier[1] + 1
            guard number < 200 else { return .silence }
            let message = [0x32, 9, 0, 1, 0x73, 0, number, 0, 0x65, 0x6E, 0x64]
            return .sendEach((packet.type == 3 ? [[0x40, 2] + packet.identifier] : []) + [message])
        }
        try await withClient(.local(broker.port, "answering")) { running in
            try await running.connected()
            func kernelsOwn() async -> UInt32 {
                await withCheckedContinuation { waiting in
                    ScriptedBroker.loop.execute {
                        let segments = broker.segments
                        waiting.resume(returning: segments.all - segments.withData)
                    }
                }
            }
            running.client.publish(.event("e", "x".utf8))
            // The kernel acknowledges the first segments of a new connection immediately.
            for _ in 0..<40 { try await running.expect("end", topic: "s") }
            let before = await kernelsOwn()
            for _ in 0..<100 { try await running.expect("end", topic: "s") }
            #expect(await kernelsOwn() - before <= 30)
        }
    }

    @Test("All but the first message published in a round of the loop leave in one segment")
    func gathered() async throws {
        let broker = ScriptedBroker { _ in .usual }
        try await withClient(.local(broker.port, "gathered")) { running in
            try await running.connected()
            var packets = broker.packets.makeAsyncIterator()
            func segments() async -> UInt32 {
                await withCheckedContinuation { waiting in
                    ScriptedBroker.loop.execute { waiting.resume(returning: broker.segments.withData) }
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
    }

    @Test(
        "After one message each acknowledgement wakes the loop; after three, acknowledgements are collected for 2 ms"
    )
    func patience() async throws {
        let broker = ScriptedBroker { _ in .usual }
        try await withClient(.local(broker.port, "patient")) { running in
            try await running.connected()
            #expect(await running.lowWater(after: 1) == 1)
            #expect(await running.lowWater(after: 3) == 12)
            while await running.lowWater(after: 0) != 1 {}
        }
    }

    @Test("With a small window each acknowledgement wakes the loop")
    func impatience() async throws {
        // Receive Maximum: 5.
        let broker = ScriptedBroker { packet in
            packet.type == 1 ? .send([0x20, 6, 0, 0, 3, 0x21, 0, 5]) : .usual
        }
        try await withClient(.local(broker.port, "impatient")) { running in
            try await running.connected()
            #expect(await running.lowWater(after: 3) == 1)
        }
    }
}

extension RunningClient {
    /// Returns the number of bytes after which the kernel wakes the loop, right after messages are sent.
    fileprivate func lowWater(after messages: Int) async -> CInt {
        await withCheckedContinuation { waiting in
            client.loop.execute {
                for _ in 0..<messages { client.publish(.event("e", "x".utf8)) }
                waiting.resume(returning: client.assumeIsolated { $0.lowWater })
            }
        }
    }
}

extension Client {
    fileprivate var lowWater: CInt {
        guard let connection = session?.connection else { return -1 }
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        _ = getsockopt(mosquitto_socket(connection.handle), SOL_SOCKET, SO_RCVLOWAT, &value, &size)
        return value
    }
}
