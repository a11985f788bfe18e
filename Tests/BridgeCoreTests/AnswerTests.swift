import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@Suite("Destinations of answers, and expired commands")
struct AnswerTests {
    @Test(
        "The answer contains the sender's id, even if the command fails",
        arguments: [
            ("level", #"{"level":60,"id":7}"#), ("level", #"{"level":400,"id":7}"#),
            ("level", #"{"levl":60,"id":7}"#), ("level", #"{"id":7}"#), ("nothing", #"{"id":7}"#),
            ("aim", #"{"direction":10,"id":7}"#),
        ])
    func identifier(feature: String, payload: String) {
        withBridge { bench in
            bench.goOnline()
            bench.send(feature, payload)
            #expect(bench.results().count == 1)
            #expect(bench.results().last?["id"] == 7)
        }
    }

    @Test(
        "A command with the trait latest is answered on success only if it has an id, and always on failure")
    func quiet() {
        withBridge { bench in
            bench.goOnline()
            bench.send("aim", "90")
            #expect(bench.results() == [])
            #expect(bench.motor == [[6, 45]])
            bench.send("aim", "400")
            #expect(bench.lastResult() == "out_of_range")
        }
    }

    @Test("Of waiting latest commands, only the newest is sent, and the others are answered as superseded")
    func latest() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            for direction in [10, 20, 30, 40] {
                bench.send("aim", #"{"direction":\#(direction),"id":\#(direction)}"#)
            }
            bench.link()?.setHolding(false)
            #expect(bench.motor == [[6, 5], [6, 20]])
            let superseded = bench.results().filter { $0["superseded"] == true }.map { $0["id"] }
            #expect(superseded == [20, 30])
            #expect(bench.results().count == 4)
        }
    }

    @Test(
        "The answer goes to the Response Topic instead, with the correlation data", arguments: ["60", "400"])
    func responseTopic(payload: String) {
        withBridge { bench in
            bench.goOnline()
            bench.broker.send("sample/level/set", payload, responseTopic: "answer", correlation: [1, 2])
            #expect(bench.results() == [])
            let answers = bench.broker.log.filter { $0.message.topic == "answer" }
            #expect(answers.count == 1)
            #expect(answers.first?.message.policy == .reply(correlation: [1, 2]))
            #expect(bench.broker.objects("answer").first?["feature"] == "level")
            #expect(bench.broker.objects("answer").first?["seq"] == nil)
        }
    }

    @Test("An invalid Response Topic is ignored", arguments: ["", "a/#", "+/a"])
    func wrongResponseTopic(topic: String) {
        withBridge { bench in
            bench.goOnline()
            bench.broker.send("sample/level/set", "60", responseTopic: topic)
            #expect(bench.lastResult() == "ok")
        }
    }

    @Test("A retained command is refused every time it arrives")
    func retained() {
        withBridge { bench in
            bench.goOnline()
            bench.send("level", "60", retain: true)
            #expect(bench.lastResult() == "retained_command")
            bench.client.lose()
            bench.connectBroker()
            #expect(bench.results().count == 2)
            #expect(bench.control.contains([5, 60]) == false)
        }
    }

    @Test("The message expiry and the field expires are respected")
    func expiry() {
        withBridge { bench in
            bench.goOnline()
            let old = bench.time.now - .seconds(3)
            for seconds in [UInt32(2), 10] {
                bench.broker.send(
                    IncomingMessage(
                        topic: "sample/level/set", payload: Array("60".utf8), expirySeconds: seconds,
                        arrival: old))
            }
            #expect(bench.results().map { $0["code"]?.string } == ["expired", nil])
            let later = TimeStamp(milliseconds: bench.time.date.milliseconds + 1)
            bench.send("level", #"{"level":1,"expires":"\#(later)"}"#)
            #expect(bench.lastResult() == "ok")
        }
    }

    struct Stop: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var payload: [UInt8] = []
        var isRetained = false
        var expirySeconds: UInt32?
    }

    @Test(
        "A stop is always executed",
        arguments: [
            Stop(testDescription: "empty"), Stop(testDescription: "a word", payload: Array("now!".utf8)),
            Stop(testDescription: "an unknown field", payload: Array(#"{"x":1}"#.utf8)),
            Stop(testDescription: "half an object", payload: Array("{".utf8)),
            Stop(testDescription: "no text", payload: [0xFF, 0x00]),
            Stop(testDescription: "retained", isRetained: true),
            Stop(testDescription: "expired", expirySeconds: 0),
            Stop(testDescription: "too old", payload: Array(#"{"expires":"2020-01-01T00:00:00Z"}"#.utf8)),
            Stop(testDescription: "too large", payload: [UInt8](repeating: 0x20, count: 100_000)),
        ])
    func stopPasses(_ stop: Stop) {
        withBridge { bench in
            bench.goOnline()
            bench.broker.send(
                IncomingMessage(
                    topic: "sample/stop/set", payload: stop.payload, isRetained: stop.isRetained,
                    expirySeconds: stop.expirySeconds))
            #expect(bench.motor == [[0]])
            #expect(bench.lastResult() == "ok")
        }
    }

    @Test("Answers are numbered, separately for each topic")
    func sequence() {
        withBridge { bench in
            bench.goOnline()
            for _ in 0..<3 { bench.send("level", "1") }
            #expect(bench.results().map { $0["seq"] } == [1, 2, 3])
        }
    }
}
