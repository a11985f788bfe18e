import Testing

@testable import MQTT

@Suite("The choice of the next broker")
struct ServerChoiceTests {
    private func error(_ code: MQTTError.Code, _ broker: String = "b") -> MQTTError {
        MQTTError(code, broker: broker, explanation: "no")
    }

    @Test("Each broker is tried once per round, in order, and all rounds start with the same broker")
    func rounds() {
        var choice = ServerChoice(count: 3)
        for _ in 0..<2 {
            choice.begin()
            #expect(choice.current == 0 && choice.hasMore)
            let codes: [MQTTError.Code] = [.connectionRefused, .timedOut, .nameNotFound]
            let steps = codes.map { code in
                let mayAsk = choice.failed(error(code))
                return "\(mayAsk) \(choice.current)"
            }
            #expect(steps == ["true 1", "true 2", "false 0"])
            #expect(choice.hasFailed)
        }
    }

    @Test(
        "Failures that no other broker can fix do not change the choice",
        arguments: [MQTTError.Code.sessionTakenOver, .invalidConfiguration, .closed])
    func same(code: MQTTError.Code) {
        var choice = ServerChoice(count: 2)
        let isElsewhere = choice.lost(error(code))
        let mayAsk = choice.failed(error(code))
        #expect(!isElsewhere && !mayAsk && choice.current == 0)
        #expect(choice.failure?.code == code)
    }

    @Test("The error of a round lists all brokers, and has the delay of the most promising one")
    func failure() throws {
        var choice = ServerChoice(count: 2)
        _ = choice.failed(error(.badCredentials, "a:1"))
        _ = choice.failed(error(.connectionRefused, "b:2"))
        let failure = try #require(choice.failure)
        #expect(failure.code == .connectionRefused && failure.broker == "a:1, b:2")
        #expect(failure.explanation == "a:1: no; b:2: no")
    }
}
