import BridgeContract
import BridgeCore
import BridgeTesting
import HostTesting
import JSON
import Logging
import Messages
import Synchronization
import Testing

@Suite("Refusals by the broker")
struct BrokerRefusalTests {
    private func problems(_ bench: TestBridge) -> [String] {
        bench.broker.send("bridge/attic/request/health_check", "")
        let answer = bench.broker.objects("bridge/attic/response/health_check").last
        return answer?["problems"]?.array?.compactMap(\.string) ?? []
    }

    @Test(
        "A refused subscription is a problem of the bridge until it is granted, and a new connection resets it"
    )
    func subscription() {
        withBridge { bench in
            bench.client.refuseSubscription("all/+/set", "not authorized")
            bench.goOnline()
            #expect(problems(bench) == ["the broker refuses all/+/set: not authorized"])
            bench.broker.send("all/stop/set", "")
            #expect(bench.results("all").isEmpty, "it does not arrive")
            bench.client.lose()
            bench.connectBroker()
            #expect(problems(bench).count == 1)
            bench.client.grantSubscription("all/+/set")
            #expect(problems(bench) == [])
            bench.broker.send("all/stop/set", "")
            #expect(bench.lastResult("all") == "ok")
        }
    }

    @Test(
        "A topic that the broker accepts again is no longer a problem, and a reload retries all refused messages"
    )
    func topic() {
        withBridge { bench in
            bench.goOnline()
            bench.client.refuse("sample/level", "left out")
            #expect(problems(bench) == ["the broker refuses sample/level: left out"])
            #expect(bench.client.retries == 0)
            bench.hangUp()
            #expect(bench.client.retries == 1)
            bench.client.accept("sample/level")
            #expect(problems(bench) == [])
        }
    }

    @Test("Answers that the broker refuses on Response Topics are no problem of the bridge")
    func answers() {
        withBridge { bench in
            bench.goOnline()
            let long = String(repeating: "x", count: 300)
            for index in 0..<200 { bench.client.refuse("elsewhere/\(index)/\(long)", "not authorized") }
            #expect(problems(bench) == [])
            bench.time.advance(by: .seconds(60))
            let stats = bench.broker.objects("bridge/attic/stats").last
            #expect(stats?["refused"] == [] && stats?["refused_answers"] == 200)
            #expect(bench.log.count(.info, "answer cannot be sent") == 10)
            bench.client.refuse("bridge/attic/info", "not authorized")
            #expect(problems(bench) == ["the broker refuses bridge/attic/info: not authorized"])
        }
    }

    @Test("A probe returns to a client that receives its own messages, and is not sent without a connection")
    func probes() {
        let lab = Lab()
        let client = lab.broker.client()
        let seen = Seen()
        client.onEvent { event in
            switch event {
            case .message(let message): seen.add("\(message.payload[0]) at \(message.arrival)")
            case .subscribed(let filter, _): seen.add(filter)
            default: break
            }
        }
        client.subscribe([TopicFilter("echo", qos: 0, receivesOwn: true), TopicFilter("own", qos: 0)])
        let times = LogRecord()
        let logger = times.logger()
        func probe(_ topic: String, _ payload: UInt8) {
            client.probe(topic, payload: [payload]) { logger.info("\(payload) at \($0)") }
        }
        probe("echo", 0)
        client.connect()
        client.setProbeFate(.unsent)
        probe("echo", 1)
        client.setProbeFate(.dropped)
        probe("echo", 2)
        client.setProbeFate(.held)
        probe("echo", 3)
        client.setProbeFate(.delivered)
        probe("own", 4)
        probe("echo", 5)
        lab.time.advance(by: .seconds(1))
        client.releaseProbes()
        client.lose()
        #expect(seen.all == ["echo", "own", "5 at 1000.0 seconds", "3 at 1001.0 seconds"])
        #expect(client.probes.map(\.payload) == [[2], [3], [4], [5]])
        #expect(times.count(.info, "at 1000.0 seconds") == 4)
    }
}

/// The events that a client received, as text.
private final class Seen: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) { texts.withLock { $0.append(text) } }
}
