import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@Suite("Commands and their answers")
struct CommandTests {
    @Test("An acknowledged command is answered once, with the elapsed time")
    func acknowledged() throws {
        try withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            bench.send("level", "60")
            #expect(bench.results() == [])
            bench.time.advance(by: .milliseconds(12))
            bench.link()?.completeNext()
            let result = try #require(bench.results().first)
            #expect(bench.results().count == 1)
            #expect(
                result == [
                    "feature": "level", "status": "ok", "elapsed_ms": 12,
                    "time": .string(bench.time.date.description), "seq": 1,
                ])
            #expect(bench.control.last == [5, 60])
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var feature: String
        var payload: String
        var code: String
        var testDescription: String { "\(feature) \(payload): \(code)" }
    }

    @Test(
        "A failed command is answered once, with the code of the reason",
        arguments: [
            Refusal(feature: "level", payload: "", code: "invalid_payload"),
            Refusal(feature: "level", payload: "{", code: "invalid_payload"),
            Refusal(feature: "level", payload: "[1", code: "invalid_value"),
            Refusal(feature: "level", payload: "{\"levl\":3}", code: "unknown_field"),
            Refusal(feature: "level", payload: "{}", code: "missing_field"),
            Refusal(feature: "level", payload: "high", code: "invalid_value"),
            Refusal(feature: "level", payload: "400", code: "out_of_range"),
            Refusal(feature: "reset", payload: "{}", code: "missing_field"),
            Refusal(feature: "pressed", payload: "1", code: "unknown_feature"),
            Refusal(feature: "nothing", payload: "1", code: "unknown_feature"),
            Refusal(
                feature: "level", payload: "{\"level\":3,\"expires\":\"2020-01-01T00:00:00Z\"}",
                code: "expired"),
            Refusal(feature: "level", payload: "{\"level\":3,\"expires\":\"soon\"}", code: "invalid_value"),
        ])
    func refused(_ refusal: Refusal) {
        withBridge { bench in
            bench.goOnline()
            let written = bench.control
            bench.send(refusal.feature, refusal.payload)
            #expect(bench.results().count == 1)
            #expect(bench.lastResult() == refusal.code)
            #expect(bench.results().last?["message"]?.string?.isEmpty == false)
            #expect(bench.control == written)
        }
    }

    @Test("The message of a range error contains the range")
    func message() {
        withBridge { bench in
            bench.goOnline()
            bench.send("aim", "400")
            #expect(bench.results().last?["message"] == "direction: 0 to 360, got 400")
        }
    }

    @Test("A payload that is too large is refused without parsing")
    func tooLarge() {
        withBridge { bench in
            bench.goOnline()
            bench.send("level", String(repeating: "6", count: 70_000))
            #expect(bench.lastResult() == "invalid_payload")
        }
    }

    @Test("A command to an offline device is refused immediately, with the reason")
    func offline() {
        withBridge { bench in
            bench.connectBroker()
            bench.send("level", "60")
            #expect(bench.lastResult() == "device_offline")
            #expect(bench.results().last?["message"] == "sample is searching (not in range so far)")
        }
    }

    @Test("A kept command is answered as kept, and executed when the device is online again")
    func kept() {
        withBridge { bench in
            bench.connectBroker()
            bench.send("aim", "{\"direction\":90,\"id\":1}")
            #expect(bench.results().last?["kept"] == true)
            bench.hear()
            #expect(bench.motor == [[6, 45]])
        }
    }

    @Test("Commands in progress are answered once each when the connection is lost")
    func linkLost() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            for feature in ["level", "mode", "mute"] {
                bench.send(feature, feature == "level" ? "60" : feature == "mode" ? "fast" : "")
            }
            bench.link()?.lose()
            #expect(
                bench.results().compactMap { $0["code"]?.string }
                    == Array(repeating: "device_offline", count: 3))
            #expect(Set(bench.results().compactMap { $0["feature"]?.string }) == ["level", "mode", "mute"])
            bench.time.advance(by: .seconds(60))
            #expect(bench.results().count == 3)
        }
    }

    @Test("A command that the state machine does not answer times out after 30 s")
    func patience() {
        withBridge { bench in
            bench.goOnline()
            bench.send("mute", "")
            bench.time.advance(by: .seconds(30) - .milliseconds(1))
            #expect(bench.results() == [])
            bench.time.advance(by: .milliseconds(1))
            #expect(bench.lastResult() == "timeout")
            bench.link()?.lose()
            #expect(bench.results().count == 1)
        }
    }

    @Test("A confirmed command waits for the device's confirmation, up to its timeout")
    func confirmation() {
        withBridge { bench in
            bench.goOnline()
            bench.send("mode", "fast")
            #expect(bench.results() == [])
            bench.link()?.notify(SampleFamily.status, [2, 1])
            #expect(bench.results().last?["mode"] == "fast")
            bench.send("mode", "slow")
            bench.time.advance(by: .seconds(2))
            #expect(bench.lastResult() == "timeout")
        }
    }

    @Test("A write error of the device is reported as device_error")
    func writeFails() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.fail(SampleFamily.control, OperationError(.failed, "0x80"))
            bench.send("level", "60")
            #expect(bench.lastResult() == "device_error")
            #expect(bench.results().last?["message"] == "0x80")
        }
    }

    @Test("A command is refused as busy if too many commands wait")
    func busy() {
        withBridge { bench in
            bench.goOnline()
            for _ in 0..<300 { bench.send("mute", "") }
            #expect(bench.results().count == 44)
            #expect(bench.lastResult() == "busy")
            bench.send("stop", "")
            #expect(bench.lastResult() == "ok")
        }
    }
}
