import BridgeTesting
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Answers that the broker refuses")
struct RefusedAnswerTests {
    private static let reply = OutgoingMessage.Policy.reply(correlation: [7])

    private func message(_ payload: String, _ policy: OutgoingMessage.Policy = reply) -> OutgoingMessage {
        OutgoingMessage(topic: "reply/operator/1", payload: Array(payload.utf8), policy: policy)
    }

    @Test("The sender receives an error with the id on the same topic instead")
    func replaced() throws {
        try withBridge { bench in
            bench.connectBroker()
            bench.client.refuse(
                message(#"{"request":"pattern","status":"ok","elapsed_ms":4,"id":[1],"time":"x"}"#),
                "packet too large")
            let answer = try #require(bench.broker.objects("reply/operator/1").last)
            #expect(answer["request"] == "pattern" && answer["status"] == "error" && answer["id"] == [1])
            #expect(answer["code"] == "not_supported")
            #expect(answer["message"]?.string?.contains("packet too large") == true)
            #expect(bench.broker.log.last?.message.policy == Self.reply)
        }
    }

    @Test("An answer that is forbidden on a topic is replaced on the usual topic")
    func forbidden() throws {
        try withBridge { bench in
            bench.connectBroker()
            bench.broker.clearLog()
            bench.client.refuse(
                message(#"{"request":"pattern","status":"ok","elapsed_ms":4,"id":[1],"time":"x"}"#),
                "not authorized")
            #expect(bench.broker.texts("reply/operator/1") == [])
            let answer = try #require(bench.broker.objects("bridge/attic/response/pattern").last)
            #expect(answer["status"] == "error" && answer["id"] == [1])
            #expect(answer["message"]?.string?.contains("reply/operator/1") == true)
            let count = bench.broker.log.count
            bench.client.refuse(message(#"{"feature":"level","status":"ok","time":"x"}"#), "not authorized")
            #expect(bench.broker.log.count == count, "nothing says which device it was")
        }
    }

    @Test(
        "An error, an event or an invalid answer is not replaced",
        arguments: [
            #"{"request":"pattern","status":"error","code":"internal","message":"x"}"#, #"{"button":1}"#, "x",
            "",
        ])
    func notReplaced(_ payload: String) {
        withBridge { bench in
            bench.connectBroker()
            let count = bench.broker.log.count
            bench.client.refuse(message(payload), "not authorized")
            #expect(bench.broker.log.count == count)
        }
    }
}
