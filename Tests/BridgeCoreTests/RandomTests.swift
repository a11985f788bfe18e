import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Messages
import Testing

@Suite("Random input")
struct RandomTests {
    @Test(
        "Random payloads never crash the bridge, and each command is answered exactly once", arguments: 0..<4)
    func payloads(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let features = ["level", "mode", "aim", "stop", "reset", "mute", "pressed", "nothing", ""]
        let words = [
            "{", "}", "[", "]", ":", ",", "\"level\"", "\"mode\"", "\"id\"", "\"expires\"", "1", "-3.5e9",
            "null",
            "true", "\"fast\"", "\"\\u12\"", " ", "fast", "400",
        ]
        withBridge { bench in
            bench.goOnline()
            for number in 0..<300 {
                var payload = random.bytes(atMost: 40)
                if Bool.random(using: &random) {
                    payload = (0..<Int.random(in: 0...8, using: &random)).flatMap { _ in
                        Array((words.randomElement(using: &random) ?? "").utf8)
                    }
                }
                bench.broker.send(
                    IncomingMessage(
                        topic: "sample/\(features.randomElement(using: &random) ?? "")/set", payload: payload,
                        isRetained: false, responseTopic: "answer/\(number)", arrival: bench.time.now))
            }
            bench.link()?.notify(SampleFamily.status, [2, 1])
            bench.link()?.notify(SampleFamily.status, [2, 0])
            bench.time.advance(by: .seconds(31))
            for number in 0..<300 { #expect(bench.broker.objects("answer/\(number)").count == 1) }
            bench.broker.send("sample/level/set", "60", responseTopic: "last")
            #expect(bench.broker.objects("last").last?["status"] == "ok")
        }
    }

    @Test(
        "With random events of connection, broker and adapter, each command is answered once and shutdown works",
        arguments: 0..<12)
    func events(seed: UInt64) {
        var random = RandomSource(seed: seed &+ 100)
        withBridge { bench in
            bench.connectBroker()
            var isBrokerUp = true
            var sent = 0
            for _ in 0..<400 {
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<4: bench.hear(isPaired: Bool.random(using: &random))
                case 4: bench.link()?.lose("for the test")
                case 5: bench.link()?.setHolding(Bool.random(using: &random))
                case 6...7:
                    bench.link()?.completeNext(
                        Bool.random(using: &random) ? nil : OperationError(.failed, "no"))
                case 8...9: bench.link()?.notify(SampleFamily.status, random.bytes(atMost: 3))
                case 10:
                    bench.link()?.notify(SampleFamily.status, [UInt8.random(in: 1...9, using: &random), 1])
                case 11:
                    let codes: [RadioError.Code] = [
                        .unreachable, .pairingRequired, .busy, .unavailable, .failed,
                    ]
                    let code = codes.randomElement(using: &random) ?? .failed
                    bench.radio.failConnecting(BridgeSettings.sample, RadioError(code, "for the test"))
                case 12:
                    bench.radio.tell(
                        Bool.random(using: &random) ? .adapterLost("hci0") : .adapterReady("hci0"))
                case 13: bench.radio.setHolding(Bool.random(using: &random))
                case 14: bench.radio.completeNext()
                case 15:
                    if isBrokerUp { bench.client.lose() } else { bench.client.connect() }
                    isBrokerUp.toggle()
                case 16: bench.time.advance(by: .milliseconds(Int.random(in: 0...3000, using: &random)))
                default:
                    guard isBrokerUp else { continue }
                    let commands = [
                        ("level", "60"), ("mode", "fast"), ("aim", "9"), ("stop", ""), ("mute", ""),
                    ]
                    guard let (feature, payload) = commands.randomElement(using: &random) else { continue }
                    bench.broker.send("sample/\(feature)/set", payload, correlation: nil)
                    // An answer on a Response Topic would be lost with the broker. A successful latest command is not
                    // answered.
                    sent += feature == "aim" ? 0 : 1
                }
                let isConnected = bench.connection()?["state"] == "connected"
                if isBrokerUp, bench.availability() != nil {
                    #expect((bench.availability() == "online") == isConnected)
                }
            }
            if !isBrokerUp { bench.connectBroker() }
            bench.radio.setHolding(false)
            while bench.radio.completeNext() {}
            bench.time.advance(by: .seconds(31))
            let answers = bench.results().filter { $0["feature"] != "aim" }
            #expect(answers.count == sent)
            #expect(bench.results().map { $0["seq"]?.integer } == Array(1...max(bench.results().count, 1)))
            // After all events, the device can still be used.
            bench.link()?.setHolding(false)
            bench.radio.tell(.adapterReady("hci0"))
            bench.link()?.lose("for the last time")
            for _ in 0..<10 where bench.availability() != "online" {
                bench.hear()
                bench.time.advance(by: .seconds(301))
            }
            bench.send("level", #"{"level":33,"id":"last"}"#)
            #expect(bench.results().last?["id"] == "last")
            #expect(bench.lastResult() == "ok")
            bench.shutDown()
            bench.time.advance(by: .seconds(2))
            #expect(bench.isOver)
            #expect(bench.availability() == "offline")
        }
    }
}
