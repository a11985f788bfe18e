import EventLoop
import Testing

@testable import MQTT

@Suite("Choosing the protocol version", .timeLimit(.minutes(1)))
struct VersionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The broker's answer to a CONNECT of version 5.
        let answer: ScriptedBroker.Answer
        /// The number of first connections with this answer.
        var until = Int.max
        /// The protocol level of each CONNECT; the last one follows an accepted connection.
        let levels: [UInt8]
    }

    @Test(
        "The broker's version is detected, and the version that worked is remembered",
        arguments: [
            Case(testDescription: "return code 1", answer: .send([0x20, 2, 0, 1]), levels: [5, 4, 4]),
            Case(
                testDescription: "reason code 0x84", answer: .send([0x20, 3, 0, 0x84, 0]), levels: [5, 4, 4]),
            Case(testDescription: "broken answer", answer: .send([0x20, 2, 0, 0x84]), levels: [5, 4, 4]),
            Case(testDescription: "it hangs up", answer: .close, levels: [5, 5, 4, 5, 4, 4]),
            Case(testDescription: "it never answers", answer: .silence, levels: [5, 4, 5, 4, 4]),
            Case(testDescription: "it stood still", answer: .silence, until: 1, levels: [5, 4, 5, 5]),
            Case(testDescription: "it was not up", answer: .close, until: 2, levels: [5, 5, 4, 5, 5]),
        ])
    func found(case expected: Case) async throws {
        let broker = ScriptedBroker { packet in
            packet.type == 1 && (packet.level == 5 || expected.until < .max)
                && packet.connection < expected.until ? expected.answer : .usual
        }
        var configuration = Configuration.local(broker.port, "version")
        configuration.connectTimeout = .milliseconds(100)
        try await withClient(configuration) { running in
            let version: ProtocolVersion = expected.levels.last == 5 ? .v5 : .v311
            let made = try await running.connected()
            running.client.reconnect()
            let again = try await running.connected()
            #expect(made.version == version && again.version == version)
        }
        var levels: [UInt8] = []
        for await packet in broker.packets where packet.type == 1 {
            levels.append(packet.level)
            if levels.count == expected.levels.count { break }
        }
        #expect(levels == expected.levels)
    }
}
