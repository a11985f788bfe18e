import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Logging
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Command gate and answers")
struct CommandGateTests {
    private let date = TimeStamp(milliseconds: 1_000_000)

    private func command(_ name: String) throws -> Command {
        try #require(SampleFamily().feature(name)?.command)
    }

    private func request(
        _ payload: String, isRetained: Bool = false, expirySeconds: UInt32? = nil
    ) -> CommandRequest {
        CommandRequest(
            IncomingMessage(
                topic: "t", payload: Array(payload.utf8), isRetained: isRetained,
                expirySeconds: expirySeconds, arrival: .seconds(10)), feature: "f")
    }

    private func outcome(_ request: CommandRequest, _ name: String, now: Duration) throws -> String {
        let command = try command(name)
        do throws(CommandError) {
            let invocation = try CommandGate.admit(request, command, now: now, date: date)
            return JSON.Value.object(invocation.arguments.values).description
        } catch {
            return error.code.rawValue
        }
    }

    @Test("A valid command is parsed, and an invalid one is refused with its code")
    func gate() throws {
        let now = Duration.seconds(12)
        #expect(try outcome(request("60"), "level", now: now) == #"{"level":60}"#)
        #expect(try outcome(request("60", isRetained: true), "level", now: now) == "retained_command")
        #expect(try outcome(request("60", expirySeconds: 1), "level", now: now) == "expired")
        #expect(try outcome(request("60", expirySeconds: 2), "level", now: now) == #"{"level":60}"#)
        #expect(
            try outcome(request(#"{"level":1,"expires":"1970-01-01T00:16:39Z"}"#), "level", now: now)
                == "expired")
        #expect(
            try outcome(request(#"{"level":1,"expires":"1970-01-01T00:16:40Z"}"#), "level", now: now)
                == #"{"level":1}"#)
        #expect(try outcome(request("{}"), "reset", now: now) == "missing_field")
    }

    @Test(
        "With an unsynchronized clock a hazardous command with expires is refused, and others are reported",
        arguments: [true, false, nil])
    func clock(isSynchronised: Bool?) throws {
        let time = VirtualTime(executor: ManualExecutor())
        time.setSynchronised(isSynchronised)
        let log = LogRecord()
        let logger = log.logger()
        let clock = ExpiryClock(time: time) { logger.warning("told") }
        let fields = [Field("level", .integer(0...100), "The level.")]
        func refusal(_ traits: Command.Traits, _ payload: String) -> CommandError? {
            do throws(CommandError) {
                let command = Command(fields, traits: traits, example: ["level": 1])
                _ = try CommandGate.admit(request(payload), command, now: .zero, date: date, clock: clock)
                return nil
            } catch {
                return error
            }
        }
        let (early, late) = (
            #"{"level":1,"expires":"1970-01-01T00:16:41Z"}"#, #"{"level":1,"expires":"1970-01-01T00:16:39Z"}"#
        )
        #expect(refusal([], late)?.code == .expired && refusal([], late)?.reason == nil)
        #expect(refusal([], early) == nil && refusal(.hazardous, #"{"level":1}"#) == nil)
        #expect(refusal([.hazardous, .stop], early) == nil, "a stop is obeyed")
        let refused = refusal(.hazardous, early)
        #expect(refused?.code == (isSynchronised == false ? .expired : nil))
        #expect(refused?.reason == (isSynchronised == false ? .clock : nil))
        #expect(log.count(.warning, "told") == (isSynchronised == false ? 3 : 0))
    }

    @Test(
        "A stop with an invalid payload means the whole stop",
        arguments: ["", "x", "{", #"{"hard":9}"#, #"{"y":1}"#])
    func stop(_ payload: String) throws {
        #expect(try outcome(request(payload), "stop", now: .zero) == #"{"hard":false}"#)
        #expect(try outcome(request(payload, isRetained: true), "stop", now: .zero) == #"{"hard":false}"#)
    }

    @Test("A stop with a valid payload keeps its arguments")
    func stopArguments() throws {
        #expect(try outcome(request(#"{"hard":true}"#), "stop", now: .zero) == #"{"hard":true}"#)
        #expect(
            try outcome(request(#"{"hard":true}"#, isRetained: true), "stop", now: .zero) == #"{"hard":true}"#
        )
    }

    @Test("A payload that is too large is refused with its size, and a stop is obeyed")
    func tooLarge() throws {
        let size = IncomingMessage.maximumPayload + 1
        let large = CommandRequest(IncomingMessage(topic: "t", payload: [], payloadSize: size), feature: "f")
        let error = #expect(throws: CommandError.self) {
            try CommandGate.admit(large, try self.command("level"), now: .zero, date: self.date)
        }
        #expect(error?.code == .invalidPayload && error?.message == "65537 bytes; allowed: at most 65536")
        #expect(try outcome(large, "stop", now: .zero) == #"{"hard":false}"#)
        #expect(CommandGate.isWholeStop(large, try command("stop")))
        #expect(CommandGate.id(of: large) == nil)
    }

    @Test(
        "The id of a refused command is found if it can be read",
        arguments: [
            (#"{"id":"a"}"#, "a"), (#"{"id":{"b":1},"x":2}"#, ["b": 1]), ("{", nil), ("60", nil), ("", nil),
            (#"{"x":2}"#, nil),
        ] as [(String, JSON.Value?)])
    func identifier(payload: String, id: JSON.Value?) {
        #expect(CommandGate.id(of: request(payload)) == id)
    }

    @Test("An answer has the members of the contract in its order")
    func answers() {
        var message = AnswerMessage(
            subject: ("feature", "level"), answer: .ok(["kept": true]), id: 7, elapsed: .microseconds(12_900),
            date: date)
        #expect(
            message.object == [
                "feature": "level", "status": "ok", "elapsed_ms": 12, "kept": true, "id": 7,
                "time": "1970-01-01T00:16:40.000Z",
            ])
        message.answer = .failed(.outOfRange, "direction: 0 to 360, got 400")
        message.id = nil
        #expect(
            message.object == [
                "feature": "level", "status": "error", "code": "out_of_range",
                "message": "direction: 0 to 360, got 400", "time": "1970-01-01T00:16:40.000Z",
            ])
        message.answer = .failed(CommandError(.expired, "too late", reason: .clock))
        #expect(message.object["reason"] == "clock")
        message.subject = ("request", "forget")
        #expect(message.object.keys.first == "request")
    }
}
