import BridgeTesting
import DeviceKit
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Rate limits for commands")
struct RateLimitTests {
    @Test("A burst passes, then a fixed number per second")
    func bucket() {
        var limit = RateLimit(perSecond: 10, burst: 3)
        let moments: [Duration] = [
            .seconds(1), .seconds(1), .seconds(1), .seconds(1), .milliseconds(1100), .milliseconds(1150),
            .milliseconds(1200), .seconds(60), .seconds(60), .seconds(60), .seconds(60),
        ]
        let passed = moments.map { limit.take(at: $0) }
        #expect(
            passed == [true, true, true, false, true, false, true, true, true, true, false])
    }

    @Test("Commands over the rate are refused, except stops and latest commands")
    func commands() {
        withBridge { bench in
            bench.goOnline()
            for _ in 0..<600 { bench.send("level", "1") }
            #expect(bench.results().count { $0["code"] == "rate_limited" } == 100)
            #expect(bench.results().last?["message"] == "at most 200 commands a second are accepted")
            bench.send("halt", "x")
            #expect(bench.motor.last == [0])
            #expect(bench.lastResult() == "ok")
            bench.send("aim", "90")
            #expect(bench.motor.last == [6, 45])
            bench.time.advance(by: .milliseconds(5))
            bench.send("level", "2")
            #expect(bench.control.last == [5, 2])
            bench.send("level", "3")
            #expect(bench.lastResult() == "rate_limited")
        }
    }

    @Test("Requests over the rate are refused")
    func requests() {
        withBridge { bench in
            bench.connectBroker()
            for _ in 0..<310 { bench.request("devices", "") }
            let responses = bench.broker.objects("bridge/attic/response/devices")
            #expect(responses.count == 310)
            #expect(responses.count { $0["code"] == "rate_limited" } == 10)
        }
    }
}
